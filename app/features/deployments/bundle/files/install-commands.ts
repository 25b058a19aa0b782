import type { BundleFile } from "../bundle-types.ts";

/**
 * Commands that put each file where it belongs on a machine, with its mode, in a folder that has them. A file in which
 * something of the machine may stand stays as it is.
 */
export function installCommands(installed: readonly BundleFile[]): string {
  const lines = installed.flatMap(({ path, installed: target }) =>
    target ? [`${target.mode} ${path} ${target.path}\n`] : [],
  );
  return `while read -r mode file path; do
  case $file in docker-daemon.json | secrets.env)
    if [ -e "$path" ]; then echo "Kept $path: compare it with $file yourself."; continue; fi ;;
  esac
  sudo install -D -m "$mode" "$file" "$path" </dev/null
done <<'END'
${lines.join("")}END
`;
}
