import { type Plant, remove, set, setService } from "./plant.ts";

export const servicesPlants: Readonly<Record<string, readonly Plant[]>> = {
  "egress.key.unknown": [
    set("egress", ["s3"], { bucket: "old" }),
    set("egress", ["cpu_cost", "max_concurrent_web"], 30),
  ],
  "ingress.key.unknown": [set("ingress", ["rtc"], { udp_port: 7885 })],
  "sip.key.unknown": [set("sip", ["flood_protection"], { enabled: false })],
  "ingress.urls.missing": [
    (scene) => {
      scene.needs(scene.has("ingress"));
      scene.remove("livekit", "ingress");
    },
  ],
  "ingress.url.broken": [
    set("livekit", ["ingress"], { whip_base_url: "http:///w" }),
    set("livekit", ["ingress"], { rtmp_base_url: "rtmp://localhost:1935/x" }),
  ],
  "ingress.whip.plain": [set("livekit", ["ingress"], { whip_base_url: "http://whip.beta.test/w" })],
  "ingress.pull.udp": [
    (scene) => {
      const urls = scene.get("livekit", "ingress") ?? { whip_base_url: "https://whip.beta.test/w" };
      scene.set("livekit", ["ingress"], { ...urls, enable_udp_url_pull: true });
    },
  ],
  "services.ws-url.missing": [remove("egress", "ws_url"), remove("sip", "ws_url")],
  "services.ws-url.port": [
    set("egress", ["ws_url"], "ws://127.0.0.1:7088"),
    set("sip", ["ws_url"], "ws://localhost"),
  ],
  "egress.insecure.missing": [set("egress", ["ws_url"], "ws://10.0.0.5:7880")],
  "egress.insecure.unneeded": [
    (scene) => {
      scene.needs(scene.has("egress"));
      scene.set("egress", ["ws_url"], "wss://livekit.beta.test");
      scene.set("egress", ["insecure"], true);
    },
  ],
  "egress.cost.low": [set("egress", ["cpu_cost"], { room_composite_cpu_cost: 0.4 })],
  "egress.storage.several": [set("egress", ["storage", "gcp"], { bucket: "other" })],
  "egress.storage.bucket": [remove("egress", "storage", "s3", "bucket")],
  "egress.storage.secret": [
    set("egress", ["storage", "s3", "secret"], "wJalrXUtnFEMIK7MDENGbPxRfiCYzz"),
  ],
  "ingress.ports.off": [
    (scene) => {
      scene.needs(scene.has("ingress"));
      scene.set("ingress", ["rtmp_port"], -1);
      scene.set("ingress", ["whip_port"], -1);
    },
  ],
  "ingress.rtc.overlap": [set("ingress", ["rtc_config", "udp_port"], 50_500)],
  "ingress.whip.address": [set("ingress", ["rtc_config", "use_external_ip"], false)],
  "sip.address.missing": [set("sip", ["use_external_ip"], false)],
  "sip.address.both": [set("sip", ["nat_1_to_1_ip"], "203.0.113.7")],
  "sip.port.visible": [set("sip", ["hide_inbound_port"], false)],
  "sip.rtp.overlap": [set("sip", ["rtp_port"], "50000-51000")],
  "helm.redis.missing": [remove("helm", "livekit", "redis")],
  "helm.network": [set("helm", ["podHostNetwork"], false)],
  "helm.grace.short": [set("helm", ["terminationGracePeriodSeconds"], 30)],
  "helm.tls.missing": [remove("helm", "loadBalancer", "tls")],
  "egress.cpus.few": [setService("egress", ["cpus"], 2)],
  "egress.capabilities": [setService("egress", ["cap_add"], ["SYS_ADMIN"])],
  "egress.sandbox": [set("egress", ["enable_chrome_sandbox"], true)],
  "egress.output.lost": [
    (scene) => {
      scene.remove("egress", "storage");
      scene.setService("egress", ["volumes"], ["./egress.yaml:/etc/egress.yaml:ro"]);
    },
  ],
};
