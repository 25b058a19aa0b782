// The files of the layouts, after those that people have.

export const secret = "Jx9fQm2bT7wLkR4vYp8sZc3nHd6gUa1eXo5iMt0q";

export const turn = (domain: string) => `turn:
  enabled: true
  domain: ${domain}
  tls_port: 5349
  udp_port: 3478
  external_tls: true
`;

/** As livekit/deploy writes it: the port of LiveKit, Redis, TURN behind Caddy, keys. */
export const deployYaml = (port: number, more = "") => `port: ${port}
bind_addresses:
    - ""
rtc:
    tcp_port: 7881
    port_range_start: 50000
    port_range_end: 60000
    use_external_ip: true
    enable_loopback_candidate: false
redis:
    address: localhost:6379
    username: ""
    password: ""
    db: 0
    use_tls: false
turn:
    enabled: true
    domain: turn.example.com
    tls_port: 5349
    udp_port: 3478
    external_tls: true
${more}keys:
    APIw7nRkVq2LmXe: ${secret}
`;

/** As livekit/deploy writes it, with the domain and the one of TURN. */
export const caddyYaml = (livekit: number, tls: number) => `logging:
  logs:
    default:
      level: INFO
storage:
  "module": "file_system"
  "root": "/data"
apps:
  tls:
    certificates:
      automate:
        - live.example.com
        - turn.example.com
  layer4:
    servers:
      main:
        listen: [":${tls}"]
        routes:
          - match:
            - tls:
                sni:
                  - "turn.example.com"
            handle:
              - handler: tls
              - handler: proxy
                upstreams:
                  - dial: ["localhost:5349"]
          - match:
              - tls:
                  sni:
                    - "live.example.com"
            handle:
              - handler: tls
                connection_policies:
                  - alpn: ["http/1.1"]
              - handler: proxy
                upstreams:
                  - dial: ["localhost:${livekit}"]
`;

export const deployUnit = `[Unit]
Description=LiveKit Server Container
After=docker.service
Requires=docker.service

[Service]
LimitNOFILE=500000
Restart=always
WorkingDirectory=/opt/livekit
# Shutdown container (if running) when unit is started
ExecStartPre=/usr/local/bin/docker-compose -f docker-compose.yaml down
ExecStart=/usr/local/bin/docker-compose -f docker-compose.yaml up
ExecStop=/usr/local/bin/docker-compose -f docker-compose.yaml down

[Install]
WantedBy=multi-user.target
`;

export const nginxSite = (livekit: number, tls: number) => `# managed by certbot
map $http_upgrade $connection_upgrade { default upgrade; '' close; }
server {
    listen 80;
    server_name rtc.example.org;
    return 301 https://$host$request_uri;
}
server {
    listen ${tls} ssl http2;
    server_name rtc.example.org www.rtc.example.org;
    ssl_certificate /etc/letsencrypt/live/rtc.example.org/fullchain.pem;
    location / {
        proxy_pass http://127.0.0.1:${livekit};
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
    }
}
`;
