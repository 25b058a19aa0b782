/** What to do first when something is wrong, in the order in which it costs least. */
export const troubleSection = `## Something is wrong

1. \`sudo livekit-deploy doctor\` says what does not work, and the next step.
2. \`sudo livekit-deploy test-call\` joins a room as a client does, or says why nobody can.
3. \`sudo livekit-deploy logs SERVICE\` shows the last lines of \`livekit\`, \`caddy\`, \`redis\` or another service.
4. \`sudo livekit-deploy restart SERVICE\` starts one service anew, \`sudo livekit-deploy restart\` all of them, in a quiet
   moment; with \`--now\` at once, and people who are in calls come back by themselves.
5. After a change: \`sudo livekit-deploy apply FILE.zip\` with the version before it goes back.
6. \`sudo livekit-deploy backups\` lists what \`sudo livekit-deploy restore FILE\` can bring back. On a new machine, see
   Upkeep below.
7. \`sudo livekit-deploy support\` writes a file for who helps you: findings, versions and logs, without secrets and
   without the names of people and rooms.

| What people say | What to look at |
|---|---|
| Nobody can join | \`doctor\`: DNS, certificate, port 443. \`test-call\`: the API key. Then \`logs livekit\` |
| The browser warns of the certificate | \`doctor\`: DNS, what the certificate lacks, or until when Let's Encrypt gives none (\`cert.limited\`). See Certificates under Upkeep |
| One office or one person cannot join | \`doctor\`: TURN over UDP and TLS. Their network must let 443/tcp through |
| They join and hear nothing | \`doctor\`: TURN, the ports of media, \`turn.hairpin\`. The provider's firewall: the UDP ports below |
| Calls break off after a while | \`status\`: whether a service starts again and again. \`doctor\`: memory and disk |
| Nobody is let in with a token | The clock (\`doctor\`), and the key: \`credentials\`. Tokens of an old key end with \`rotate finish\` |
| A recording is missing | \`logs egress\`: the storage's answer. \`doctor\`: disk, cores. Keys: \`set storage-keys\` |
| A stream does not arrive | \`logs ingress\`, and its ports below |
| A webhook does not arrive | \`logs livekit\`: the answer of your receiver. It must take the secret that \`credentials\` shows |
`;
