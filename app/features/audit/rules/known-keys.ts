/** A key with the keys within it, or one whose inside we do not look at. */
type Known = { readonly [key: string]: Known | null };

const keys = (names: string): Known =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, null]));

const redis: Known = keys(
  "address username password db use_tls tls sentinel_master_name sentinel_username sentinel_password sentinel_addresses cluster_addresses dial_timeout read_timeout write_timeout max_redirects pool_timeout pool_size",
);

const logging: Known = keys(
  "json level sample component_levels sample_initial sample_interval item_sample_seconds item_sample_initial item_sample_interval pion_level",
);

const transport: Known = keys(
  "udp_port tcp_port port_range_start port_range_end use_stun_port_as_ice node_ip stun_servers use_external_ip require_ipv4 skip_external_ip_validation advertise_internal_ip use_ice_lite interfaces ips enable_loopback_candidate use_mdns external_ip_only batch_io sctp_min_cwnd sctp_fast_rtx_wnd sctp_cwnd_ca_step host_acceptance_min_wait srflx_acceptance_min_wait prflx_acceptance_min_wait relay_acceptance_min_wait force_tcp",
);

/** What LiveKit v1.13.11 knows: the yaml tags of `pkg/config`. It refuses to start with any other key. */
const livekit: Known = {
  ...keys(
    "port bind_addresses prometheus_port audio video key_file keys region psrpc log_level development metric enable_data_tracks enable_participant_data_blob",
  ),
  prometheus: keys("port username password"),
  debug_handler: keys("port"),
  webtransport: keys("port tls_cert_file tls_key_file"),
  rtc: {
    ...transport,
    ...keys(
      "turn_servers enable_warp strict_acks packet_buffer_size packet_buffer_size_video packet_buffer_size_audio pli_throttle rtx_budget flexfec allow_tcp_fallback tcp_fallback_rtt_threshold allow_udp_unstable_fallback reconnect_on_publication_error reconnect_on_subscription_error reconnect_on_data_channel_error data_channel_max_buffered_amount datachannel_slow_threshold datachannel_lossy_target_latency datachannel_data_track_target_latency forward_stats enable_rtp_stream_restart_detection",
    ),
    congestion_control: keys(
      "enabled allow_pause stream_allocator remote_bwe use_send_side_bwe_interceptor use_send_side_bwe send_side_bwe_pacer send_side_bwe",
    ),
  },
  redis,
  room: keys(
    "auto_create enabled_codecs max_participants empty_timeout departure_timeout enable_remote_unmute playout_delay sync_streams create_room_timeout create_room_attempts enable_full_room_in_webhooks update_batch_target_size max_metadata_size max_room_name_length max_participant_identity_length room_configurations",
  ),
  turn: keys(
    "enabled domain cert_file key_file tls_port udp_port relay_range_start relay_range_end external_tls bind_addresses proxy_protocol proxy_protocol_trusted_cidrs per_user_relay_allocation_limit ttl_seconds allow_restricted_peer_cidrs deny_peer_cidrs",
  ),
  ingress: keys("rtmp_base_url whip_base_url enable_udp_url_pull"),
  sip: {},
  webhook: keys("urls api_key url_notifier resource_url_notifier filter_params"),
  node_selector: keys("kind sort_by algorithm cpu_load_limit sysload_limit regions"),
  signal_relay: keys(
    "retry_timeout min_retry_interval max_retry_interval stream_buffer_size connect_attempts",
  ),
  logging,
  limit: keys(
    "num_tracks bytes_per_sec subscription_limit_video subscription_limit_audio max_metadata_size max_attributes_size max_room_name_length max_participant_identity_length max_participant_name_length max_data_blob_key_length max_data_blobs_size max_data_track_custom_encoding_length subscribe_pace_shadow_rates signal_message_size_limit agent_signal_message_size_limit max_api_request_body_size",
  ),
  agents: keys("enable_user_data_recording enable_user_data_redaction target_load endpoints"),
  trace: keys("jaeger_url"),
  node_stats: keys("stats_update_interval stats_rate_measurement_intervals stats_max_delay"),
  api: keys(
    "execution_timeout check_interval max_check_interval enable_psrpc_for_get_list_participants",
  ),
};

const storage: Known = keys("s3 gcp azure alioss prefix generate_presigned_url");

/** What Egress v1.14.1 knows. It passes over any other key without a word. */
const egress: Known = {
  ...keys(
    "api_key api_secret ws_url template_base template_port cluster_id enable_chrome_sandbox max_upload_queue disallow_local_storage io_create_timeout io_update_timeout io_selection_timeout io_workers session_limits backup s3_assume_role_key s3_assume_role_secret s3_assume_role_arn s3_assume_role_external_id insecure debug chrome_flags latency latency_overrides video_encoder_threads enable_one_shot_sender_report_sync enable_sync_engine audio_tempo_controller test_overrides health_port prometheus_port debug_handler_port pulse_sink_reap_grace_sec",
  ),
  redis,
  logging,
  storage,
  cpu_cost: keys(
    "max_cpu_utilization max_memory memory_cost room_composite_cpu_cost audio_room_composite_cpu_cost sdk_audio_room_composite_cpu_cost sdk_audio_room_composite_memory_cost web_cpu_cost audio_web_cpu_cost participant_cpu_cost track_composite_cpu_cost track_cpu_cost max_pulse_clients memory_source memory_kill_grace_sec cpu_kill_grace_sec",
  ),
};

/** What Ingress v1.5.0 knows. */
const ingress: Known = {
  ...keys(
    "api_key api_secret ws_url health_port debug_handler_port prometheus_port rtmp_port whip_port http_relay_port development whip_proxy_enabled enable_stream_latency_reduction service_name node_id",
  ),
  redis,
  logging,
  rtc_config: transport,
  cpu_cost: keys(
    "rtmp_cpu_cost whip_cpu_cost whip_bypass_transcoding_cpu_cost url_cpu_cost min_idle_ratio",
  ),
};

/** What SIP v1.11.0 knows. */
const sip: Known = {
  ...keys(
    "add_record_route api_key api_secret audio_dtmf cluster_id codecs disable_rejected_invite_cache enable_jitter_buffer enable_jitter_buffer_prob experimental health_port hide_inbound_port ignore_local_addr_in_sdp jaeger_url listen_ip local_net max_active_calls max_cpu_utilization media_nat_1_to_1_ip media_timeout media_timeout_initial media_use_external_ip nat_1_to_1_ip outbound_route_headers pprof_port prometheus_port rtp_draining_duration rtp_draining_idle_timeout rtp_port sip_hostname sip_port sip_port_listen sip_ringing_interval sip_trunk_ids symmetric_rtp tcp tls udp_max_payload use_external_ip ws_url",
  ),
  redis,
  logging,
};

export const knownKeys = { livekit, egress, ingress, sip };

/** The paths of keys that are not among the known ones. Below an unknown key nothing is looked at. */
export function unknownPaths(
  value: { readonly [key: string]: unknown },
  known: Known,
  above: readonly string[] = [],
): string[][] {
  return Object.entries(value).flatMap(([key, inside]) => {
    const path = [...above, key];
    if (!Object.hasOwn(known, key)) return [path];
    const within = known[key];
    return within && typeof inside === "object" && inside !== null && !Array.isArray(inside)
      ? unknownPaths(Object.fromEntries(Object.entries(inside)), within, path)
      : [];
  });
}

/** The known key that somebody most probably meant, by letters that differ. */
export function closestKey(path: readonly string[], known: Known): string | undefined {
  let within: Known | null | undefined = known;
  for (const key of path.slice(0, -1)) within = within?.[key];
  const wrong = path.at(-1) ?? "";
  if (wrong.length > 60) return;
  const near = Object.keys(within ?? {})
    .map((key) => ({ key, distance: distanceOf(key, wrong) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return near && near.distance <= Math.max(2, wrong.length / 4) ? near.key : undefined;
}

/** Levenshtein's distance. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, each] of [...other].entries())
      next.push(
        Math.min(
          (next[place] ?? 0) + 1,
          (row[place + 1] ?? 0) + 1,
          (row[place] ?? 0) + (letter === each ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What each key of LiveKit's that still works has become. */
export const deprecatedKeys: readonly (readonly [path: string, mend: string])[] = [
  ["prometheus_port", "prometheus:\n  port: 6789"],
  ["log_level", "logging:\n  level: info"],
  [
    "rtc.packet_buffer_size",
    "rtc:\n  packet_buffer_size_video: 500\n  packet_buffer_size_audio: 200",
  ],
  ["rtc.strict_acks", "# Leave rtc.strict_acks out: it has no effect."],
  [
    "rtc.data_channel_max_buffered_amount",
    "# Leave rtc.data_channel_max_buffered_amount out: it has no effect.",
  ],
  ["room.max_metadata_size", "limit:\n  max_metadata_size: 524288"],
  ["room.max_room_name_length", "limit:\n  max_room_name_length: 256"],
  ["room.max_participant_identity_length", "limit:\n  max_participant_identity_length: 256"],
  ["redis.use_tls", "redis:\n  tls:\n    enabled: true"],
];

/** From which LiveKit on a key is known. An older one does not start with it. */
export const keysSince: readonly (readonly [path: string, since: string])[] = [
  ["agents", "1.9.2"],
  ["api", "1.10.1"],
  ["debug_handler", "1.13.5"],
  ["enable_data_tracks", "1.9.12"],
  ["node_selector.algorithm", "1.9.12"],
  ["node_stats", "1.9.0"],
  ["rtc.allow_udp_unstable_fallback", "1.13.5"],
  ["rtc.tcp_fallback_rtt_threshold", "1.13.5"],
  ["trace", "1.9.12"],
  ["turn.allow_restricted_peer_cidrs", "1.12.0"],
  ["turn.bind_addresses", "1.10.1"],
  ["turn.deny_peer_cidrs", "1.12.0"],
  ["turn.ttl_seconds", "1.12.0"],
];
