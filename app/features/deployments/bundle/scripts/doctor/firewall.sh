# shellcheck shell=sh
# The part of doctor.sh that looks at what the machine's firewalls let through: ours, and every other one.
# shellcheck disable=SC2034,SC2154 # It shares its variables with doctor.sh.
ask_firewall() {
  {
    for program in iptables ip6tables; do say "== $program" && timeout 5 "$program" -S || true; done
    say "== nft" && timeout 5 nft -s -t list ruleset
  } >"$work/rules" 2>/dev/null &
}
# A line for each firewall: its name, the public ports that it drops, and what opens them, separated by tabs. It follows a
# new connection of a stranger through the rules. One about states, addresses or limits is passed over; a named set or a
# map of verdicts is taken for one that accepts.
dropped_ports() {
  interfaces=$({ ip route show default && ip -6 route show default; } 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | paste -sd ' ' -) || interfaces=
  awk -v ports="$PUBLIC_PORTS" -v addresses="$ADDRESSES" -v interfaces="$interfaces" '
  # Of each rule of a chain, by its number: whether it is passed over, and which protocol, ports and family it is for.
  # within: the table of a chain. bases: the chains in which a packet begins, with their policies.
  function joined(before, text, between) { return before (before == "" ? "" : between) text }
  # covers(PORTS, PORT, VERDICT): whether a list of ports and ranges has this one.
  function covers(list, one, verdict, parts, ends, n) {
    if (list ~ /@/) return verdict ~ /^(accept|ACCEPT)$/
    for (n = split(list, parts, ","); n > 0; n--) {
      if (split(parts[n], ends, /[-:]/) == 1) ends[2] = ends[1]
      if (one + 0 >= ends[1] + 0 && one + 0 <= ends[2] + 0) return 1
    }
    return 0
  }
  # rule(): notes the rule that was read.
  function rule() { n = ++rules[chain]; passed_over[chain, n] = passed; protocol_of[chain, n] = proto; ports_of[chain, n] = list; family_of[chain, n] = family; verdict_of[chain, n] = verdict }
  # verdict_for(CHAIN, PORT, PROTOCOL, FAMILY): "accept", "drop", or nothing where the chain leaves it to who called it.
  function verdict_for(chain, port, proto, family, depth, n, verdict, found) {
    for (n = 1; n <= rules[chain] && depth < 20; n++) {
      verdict = verdict_of[chain, n]
      if (passed_over[chain, n] || (family_of[chain, n] != "" && family_of[chain, n] != family)) continue
      if (protocol_of[chain, n] !~ /^(all)?$/ && !index("," protocol_of[chain, n] ",", "," proto ",")) continue
      if (ports_of[chain, n] != "" && !covers(ports_of[chain, n], port, verdict)) continue
      if (verdict ~ /^(accept|ACCEPT)$/) return "accept"
      if (verdict ~ /^(drop|DROP|reject|REJECT)$/) return "drop"
      if (verdict ~ /^(return|RETURN)$/) return ""
      found = within[chain] " " verdict
      if (found in rules) { found = verdict_for(found, port, proto, family, depth + 1); if (found != "") return found }
    }
    return ""
  }
  function begins(policy) { bases[++count] = chain; policies[chain] = policy }
  function enters(name) { sub(/[+*]$/, "", name); return name != "lo" && (interfaces == "" || index(" " interfaces, " " name)) }
  { passed = 0; proto = list = family = verdict = "" }
  $1 == "==" { kind = $2; chain = ""; next }
  $1 == "-P" || $1 == "-N" {
    chain = kind " " $2; within[chain] = kind; rules[chain] += 0
    if ($2 == "INPUT") { begins($3 == "ACCEPT" ? "accept" : "drop"); asked[kind] = 1 }
    if ($2 == "ufw-user-input" || $2 == "ufw6-user-input") ufw[kind] = 1
    next
  }
  $1 == "-A" {
    chain = kind " " $2
    for (i = 3; i <= NF; i++) {
      if ($i == "-p") proto = $(++i)
      else if ($i == "-m") i++
      else if ($i ~ /^--dports?$/) list = $(++i)
      else if ($i == "--comment") { if ($(++i) ~ /^"/) while ($i !~ /"$/ && i < NF) i++ }
      else if ($i == "-i") { if (!enters($(++i))) passed = 1 }
      else if ($i == "--dst-type") { if ($(++i) != "LOCAL") passed = 1 }
      else if ($i ~ /^--(ct)?state$/) { if ($(++i) !~ /NEW/) passed = 1 }
      else if ($i == "-j" || $i == "-g") { verdict = $(i + 1); break }
      else passed = 1
    }
    rule()
    next
  }
  $1 == "table" { table = $2 " " $3; chain = ""; next }
  $1 == "chain" { chain = "nft " table " " $2; within[chain] = "nft " table; rules[chain] += 0; next }
  $1 == "}" { chain = ""; next }
  chain == "" || $1 == "#" { next }
  / hook / {
    if (/ hook input / && table ~ /^(inet|ip6?) /) {
      if (chain ~ / INPUT$/ && asked[table ~ /^ip6/ ? "ip6tables" : "iptables"]) next
      begins(/policy drop/ ? "drop" : "accept")
    }
    next
  }
  {
    while (match($0, /"[^"]*"/) || match($0, /\{[^{}]*\}/)) {
      word = substr($0, RSTART + 1, RLENGTH - 2); gsub(/[ \t{}]/, "", word)
      $0 = substr($0, 1, RSTART - 1) word substr($0, RSTART + RLENGTH)
    }
    if (/ vmap / && !/ct state vmap/) { list = "@"; verdict = "accept"; rule(); next }
    for (i = 1; i <= NF; i++) {
      if ($i ~ /^(accept|drop|reject|return)$/) { verdict = $i; break }
      if ($i ~ /^(jump|goto)$/) { verdict = $(i + 1); break }
      if ($i == "counter") { if ($(i + 1) == "packets") i += 4 }
      else if ($i == "log") while (i < NF && $(i + 1) !~ /^(accept|drop|reject|jump|goto)$/) i++
      else if ($(i + 1) == "dport" && $i ~ /^(tcp|udp|th)$/) { if ($i != "th") proto = $i; i += 2; list = $i; if ($i == "!=") passed = 1 }
      else if ($i == "meta" && $(i + 1) == "nfproto") { i += 2; family = $i == "ipv6" ? 6 : 4 }
      else if ($i == "meta" && $(i + 1) == "l4proto") { i += 2; proto = $i }
      else if ($i ~ /^iif(name)?$/) { if ($(++i) == "!=") { if (enters($(++i))) passed = 1 } else if (!enters($i)) passed = 1 }
      else if ($i == "fib" && $(i + 1) == "daddr") { i += 3; if ($i != "local") passed = 1 }
      else if ($i == "ct" && $(i + 1) == "state") { i += 2; if ($i !~ /new/) passed = 1 }
      else if ($i ~ /^ip6?$/ && table == "inet livekit") { family = $i == "ip6" ? 6 : 4; i += 2 }
      else passed = 1
    }
    if (verdict != "") rule()
  }
  END {
    n = split(ports, public, ",")
    for (at = 1; at <= count; at++) {
      chain = bases[at]; split(chain, words, " ")
      name = words[1]; first = 4; last = 6
      if (name == "iptables" || words[2] == "ip") last = 4
      if (name == "ip6tables" || words[2] == "ip6") first = 6
      if (addresses == "ipv4") last = 4
      if (addresses == "ipv6") first = 6
      if (ufw[name]) name = "ufw"
      if (name == "nft") name = words[3] == "livekit" || words[3] == "firewalld" ? words[3] : chain
      if (!(name in dropped)) { dropped[name] = ""; names[++all] = name }
      for (i = 1; i <= n; i++) for (family = first; family <= last; family += 2) {
        split(public[i], port, "/"); split(port[1], ends, "-")
        result = verdict_for(chain, ends[1], port[2], family, 0)
        if (result != "drop" && ends[2] != "") { other = verdict_for(chain, ends[2], port[2], family, 0); if (other != "accept") result = other }
        if (result == "") result = policies[chain]
        if (result == "drop" && !index(" " dropped[name] " ", " " public[i] " ")) dropped[name] = joined(dropped[name], public[i], " ")
      }
    }
    for (at = 1; at <= all; at++) {
      name = names[at]; by["tcp"] = by["udp"] = mend = ""
      n = split(dropped[name], public, " ")
      for (i = 1; i <= n; i++) { split(public[i], port, "/"); by[port[2]] = joined(by[port[2]], port[1], ",") }
      if (n == 0) { print name "\t"; continue }
      if (name == "ufw") { mend = dropped[name]; gsub(/-/, ":", mend); mend = "for port in " mend "; do sudo ufw allow $port; done" }
      else if (name == "firewalld") mend = "for port in " dropped[name] "; do sudo firewall-cmd --permanent --add-port=$port; done; sudo firewall-cmd --reload"
      else for (i = 1; i <= 2; i++) {
        proto = i == 1 ? "tcp" : "udp"
        if (by[proto] == "") continue
        some = by[proto]
        if (name ~ /^nft /) some = "sudo nft insert rule " substr(name, 5) " " proto " dport \"{ " some " }\" accept"
        else { gsub(/-/, ":", some); some = "sudo " name " -I INPUT -p " proto " -m multiport --dports " some " -j ACCEPT" }
        mend = joined(mend, some, "; ")
      }
      print name "\t" dropped[name] "\t" mend
    }
  }' "$work/rules"
}
firewalls() {
  what=firewall
  if ! grep -q '^table inet livekit {' "$work/rules"; then
    finding firewall.missing nftables "not loaded: internal ports may be open"
  fi
  dropped_ports >"$work/dropped"
  while IFS="$(printf '\t')" read -r name dropped command; do
    case $name,$dropped in
    livekit,) good "loaded: only the public ports are open" ;;
    livekit,*) finding firewall.closed nftables "it drops $dropped" ;;
    *,) ;;
    *)
      what="firewall $name"
      finding firewall.conflict "$name" "it drops $dropped" "$command"
      what=firewall
      ;;
    esac
  done <"$work/dropped"
}
