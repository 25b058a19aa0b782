const hertz = 440;
const secondsEach = 0.5;

/** A tone that comes and goes, as a track to send where there is no microphone. */
export function startTone(): { track: MediaStreamTrack; end(): Promise<void> } {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.value = 0.3;
  const tone = context.createOscillator();
  tone.frequency.value = hertz;
  // A square wave turns the volume up and down.
  const beat = context.createOscillator();
  beat.type = "square";
  beat.frequency.value = 1 / (2 * secondsEach);
  const depth = context.createGain();
  depth.gain.value = 0.3;
  const target = context.createMediaStreamDestination();
  beat.connect(depth).connect(volume.gain);
  tone.connect(volume).connect(target);
  tone.start();
  beat.start();
  const [track] = target.stream.getAudioTracks();
  if (!track) throw new Error("The browser made a stream without a track");
  return { track, end: () => context.close() };
}
