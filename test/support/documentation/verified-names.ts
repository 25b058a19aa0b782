type Verified = {
  page: string;
  language: string;
  /** As the page names it, with this version. */
  package: string;
  version: string;
  /** The repository and its tag in which each of `names` was found declared. */
  source: string;
  names: string;
  /** The words that are the language's, the platform's or the sample's own. */
  others: string;
};

/**
 * The words of the samples that nothing here can compile. A word that is new in a sample has to be looked up in the
 * library's source before it is added to `names`.
 */
export const verifiedNames: readonly Verified[] = [
  {
    page: "connect-ios",
    language: "swift",
    package: "client-sdk-swift",
    version: "2.16.0",
    source: "livekit/client-sdk-swift 2.16.0",
    names: `
      ConnectOptions LiveKit LiveKitError LiveKitSDK Participant Room RoomDelegate RoomOptions
      SwiftUIVideoView adaptiveStream add cancelled connect connectOptions delegate didDisconnectWithError
      disconnect duplicateIdentity dynacast enabled ensureDeviceAccess firstCameraVideoTrack
      iceTransportPolicy localParticipant name participantRemoved relay remoteParticipants room
      roomDeleted roomDidReconnect roomIsReconnecting roomOptions setCamera setMicrophone token type url`,
    others: `
      AVFoundation Button Call CallView Decodable ForEach Invitation MainActor ObservableObject
      ObservedObject People Person Published ScrollView Sendable StateObject String SwiftUI Task Text
      VStack View _ as aspectRatio async audio await body call case catch class contentMode default do
      else error everybody extension final fit for func guard if import in init invitation join leave let
      map nil nonisolated onDisappear participant private return self sentence some state struct switch
      task tell track true try values var video`,
  },
  {
    page: "connect-android",
    language: "kotlin",
    package: "io.livekit:livekit-android",
    version: "2.27.0",
    source: "livekit/client-sdk-android v2.27.0",
    names: `
      CAMERA CLIENT_INITIATED DUPLICATE_IDENTITY DisconnectReason Disconnected LiveKit PARTICIPANT_REMOVED
      PublishException ROOM_DELETED Reconnected Reconnecting Room RoomEvent Source TextureViewRenderer
      Track TrackException TrackSubscribed TrackUnsubscribed VideoTrack addRenderer collect connect create
      disconnect events getTrackPublication initVideoRenderer livekit localParticipant reason release
      removeRenderer renderer setCameraEnabled setMicrophoneEnabled track`,
    others: `
      ActivityResultContracts Boolean Bundle CallActivity CancellationException ComponentActivity
      Exception LayoutParams LinearLayout MATCH_PARENT Manifest RECORD_AUDIO RequestMultiplePermissions
      TextView Unit VERTICAL ViewGroup activity addView android androidx applicationContext apply arrayOf
      as askForDevices call camera cancelled catch class com contract coroutines dependencies
      dependencyResolutionManagement else event example f failure follow forEach fun getStringExtra google
      granted hide if implementation import intent io is join keys kotlinx lateinit launch let lifecycle
      lifecycleScope maven mavenCentral microphone mutableMapOf onCreate onDestroy orEmpty orientation os
      override own package people permission private registerForActivityResult remove removeView
      repositories result return room savedInstanceState setContentView show state super text this throw
      toList token true try url val var view views when whyItEnded widget`,
  },
  {
    page: "connect-flutter",
    language: "dart",
    package: "livekit_client",
    version: "2.11.0",
    source: "livekit/client-sdk-flutter v2.11.0",
    names: `
      ConnectException ConnectOptions ConnectionErrorReason DisconnectReason EventsListener
      LocalParticipant NotAllowed Participant RTCConfiguration RTCIceTransportPolicy Room
      RoomDisconnectedEvent RoomEvent RoomOptions RoomReconnectedEvent RoomReconnectingEvent VideoTrack
      VideoTrackRenderer adaptiveStream addListener clientInitiated connect connectOptions createListener
      disconnect dispose duplicateIdentity dynacast iceTransportPolicy localParticipant muted on
      participantRemoved reason relay remoteParticipants removeListener roomDeleted roomOptions
      rtcConfiguration setCameraEnabled setMicrophoneEnabled track videoTrackPublications`,
    others: `
      BuildContext CallPage Column Expanded Future SafeArea Scaffold State StatefulWidget String Text
      TextButton Widget _ _CallPageState _join _listener _redraw _room _say _state _whyItEnded async await
      body build case catch child children class const context createState error event extends final for
      if import in initState key late mounted onPressed override own people person publication required
      return room sentence setState super switch this token true try unawaited url values void when
      whenComplete widget`,
  },
  {
    page: "connect-unity",
    language: "csharp",
    package: "io.livekit.livekit-sdk",
    version: "2.0.0",
    source: "livekit/client-sdk-unity v2.0.0",
    names: `
      AudioStream Connect CreateAudioTrack CreateVideoTrack Disconnect DisconnectedWithReason Dispose
      IRemoteTrack Identity IsError LiveKit LocalAudioTrack LocalParticipant LocalVideoTrack
      MicrophoneSource Proto PublishTrack Reconnected Reconnecting RemoteAudioTrack RemoteParticipant
      RemoteTrackPublication RemoteVideoTrack Room RoomOptions RtcAudioSource RtcVideoSource Sid Simulcast
      Source SourceCamera SourceMicrophone Start Stop TextureReceived TrackPublishOptions TrackSource
      TrackSubscribed TrackUnsubscribed Update VideoStream WebCameraSource`,
    others: `
      AddComponent Application AudioSource Call Collections Debug Destroy Dictionary GameObject Generic
      HasUserAuthorization IEnumerator Length Log LogError Microphone MonoBehaviour OnDestroy
      OnTrackSubscribed OnTrackUnsubscribed Play PublishMicrophone PublishWebcam RawImage Remove
      RequestUserAuthorization SerializeField StartCoroutine System UI UnityEngine UserAuthorization
      Values WaitUntil WebCam WebCamTexture _ break camera class connect devices else foreach if in is
      microphone new null options out person picture pictures place private public publication publish
      readonly reason return room sound speaker speakers stream string texture token track true url using
      var video void webcam width yield`,
  },
  {
    page: "call-evidence",
    language: "swift",
    package: "client-sdk-swift",
    version: "2.16.0",
    source: "livekit/client-sdk-swift 2.16.0",
    names: `
      LiveKit LiveKitError Participant Room RoomDelegate RoomOptions add cancelled candidateType
      connect currentRoundTripTime delegate didDisconnectWithError duplicateIdentity enabled
      iceCandidatePair id inboundRtpStream jitter localIceCandidate localParticipant network
      outboundRtpStream packetsLost packetsReceived packetsSent participantRemoved protocol relay
      relayProtocol remoteInboundRtpStream remoteParticipants reportRemoteTrackStatistics room
      roomDeleted roomDidConnect roomOptions selectedCandidatePairId setCamera sid statistics
      stringValue timedOut token track trackPublications transportStats type url validation`,
    others: `
      Any CallEvidence Double Error Foundation Int Int64 JSONSerialization MainActor NSEC_PER_SEC
      Never String Task URL URLRequest URLSession Void _ address all as async await begin cancel
      candidate case catch class compactMap continue count data dataTask default device do else end
      endif error evidence extension failed failure figures final first flatMap for
      forHTTPHeaderField func guard httpBody httpMethod if import in init isCancelled join joined
      let lost macOS map max missed nanoseconds nil nonisolated os pair people post private rawValue
      read request resume return said seconds selected self separator setValue shared sleep state
      stream switch system task throw throws tracks true try values var weak where with
      withJSONObject`,
  },
  {
    page: "call-evidence",
    language: "kotlin",
    package: "io.livekit:livekit-android",
    version: "2.27.0",
    source: "livekit/client-sdk-android v2.27.0",
    names: `
      CLIENT_INITIATED CONNECTION_TIMEOUT Connected DUPLICATE_IDENTITY DisconnectReason Disconnected
      JOIN_FAILURE LiveKit MEDIA_FAILURE PARTICIPANT_REMOVED ROOM_CLOSED ROOM_DELETED RTCStats
      RTCStatsGetter Room RoomEvent TrackException Version collect connect create events
      getPublisherRTCStats getStats getSubscriberRTCStats livekit localParticipant members reason
      room setCameraEnabled sid statsMap type value webrtc`,
    others: `
      Any Build CallEvidence Context Dispatchers Exception HttpURLConnection IO IOException
      JSONObject Job MainScope Number ProtocolException SocketTimeoutException String Throwable
      URL Unit _ address all android as begin call cancel candidate catch cause causes class
      coerceIn com connection content context continue coroutines count delay device disconnect
      doOutput else end error event evidence example failed failure figures filter firstOrNull
      follow following for fun generateSequence getters if import in io is isNotEmpty it java jitter
      job join joinToString json kotlinx launch let listOf lost map mapOf maxOf message missed
      mutableMapOf name net null number openConnection orEmpty org os outputStream package pair post
      private put putOpt read relay report reports requestMethod responseCode return running said
      scope setRequestProperty state stats suspend text this throw to toByteArray toDouble toInt
      toString token track true try url use val values var when while withContext write`,
  },
  {
    page: "call-evidence",
    language: "dart",
    package: "livekit_client",
    version: "2.11.0",
    source: "livekit/client-sdk-flutter v2.11.0",
    names: `
      ConnectException ConnectionErrorReason DisconnectReason EventsListener LocalParticipant
      MediaConnectException NotAllowed Participant Room RoomConnectedEvent RoomDisconnectedEvent
      RoomEvent Timeout clientInitiated connect createListener dispose duplicateIdentity getSid
      getStats id localParticipant on participantRemoved reason receiver remoteParticipants
      roomClosed roomDeleted sender setCameraEnabled sid statusCode track trackPublications type
      values`,
    others: `
      CallEvidence ClientException Duration Future Map Object String Timer Uri _ _begin _device _end
      _figures _listener _number _post _read _room _timer address all as async await body byId
      cancel candidate case catch class const device dynamic error event evidence expand failed
      failure final for headers http if import in isRelayed jitter join jsonEncode late lost max
      missed name nonNulls null num number own pair people periodic person post protocol publication
      relay report reports required rethrow return room round said seconds state switch system text
      this tick timer token true try tryParse unawaited url void`,
  },
  {
    page: "tokens",
    language: "go",
    package: "github.com/livekit/protocol",
    version: "v1.54.0",
    source: "livekit/protocol v1.54.0",
    names: `
      NewAccessToken Room RoomJoin SetCanPublish SetCanSubscribe SetIdentity SetName SetValidFor
      SetVideoGrant ToJWT VideoGrant auth`,
    others: `
      Getenv Minute TokenFor calls error func grant identity import name os package return room string
      time true`,
  },
  {
    page: "tokens",
    language: "ruby",
    package: "livekit-server-sdk",
    version: "0.9.0",
    source: "livekit/server-sdk-ruby v0.9.0",
    names: `
      AccessToken LiveKit VideoGrant api_key api_secret canPublish canSubscribe identity name room
      roomJoin to_jwt ttl video_grant`,
    others: `
      ENV def end fetch new require token token_for true`,
  },
  {
    page: "tokens",
    language: "php",
    package: "agence104/livekit-server-sdk",
    version: "1.3.5",
    source: "agence104/livekit-server-sdk-php 1.3.5",
    names: `
      AccessToken AccessTokenOptions Agence104 LiveKit VideoGrant init setCanPublish setCanSubscribe
      setGrant setIdentity setName setRoomJoin setRoomName setTtl toJwt`,
    others: `
      __DIR__ function getenv grant identity name new options php require return room string tokenFor use`,
  },
  {
    page: "connect",
    language: "dart",
    package: "livekit_client",
    version: "2.11.0",
    source: "livekit/client-sdk-flutter v2.11.0",
    names: "Room connect localParticipant setMicrophoneEnabled",
    others: "Future String async await final import join return room token true",
  },
  {
    page: "connect",
    language: "swift",
    package: "client-sdk-swift",
    version: "2.16.0",
    source: "livekit/client-sdk-swift 2.16.0",
    names: "LiveKit Room connect enabled localParticipant setMicrophone token url",
    others: "String async await func import join let return room throws true try",
  },
  {
    page: "connect",
    language: "kotlin",
    package: "io.livekit:livekit-android",
    version: "2.27.0",
    source: "livekit/client-sdk-android v2.27.0",
    names: "LiveKit Room connect create livekit localParticipant setMicrophoneEnabled",
    others:
      "Context String android content context fun import io join return room suspend token true val",
  },
  {
    page: "connect",
    language: "csharp",
    package: "io.livekit.livekit-sdk",
    version: "2.0.0",
    source: "livekit/client-sdk-unity v2.0.0",
    names: `
      Connect CreateAudioTrack LiveKit LocalAudioTrack LocalParticipant MicrophoneSource Proto PublishTrack
      Room RoomOptions Source SourceMicrophone Start TrackPublishOptions TrackSource`,
    others: `
      Application Collections FirstCall GameObject IEnumerator Microphone MonoBehaviour
      RequestUserAuthorization SerializeField System UnityEngine UserAuthorization class devices microphone
      new options private public return room string token track using var yield`,
  },
];
