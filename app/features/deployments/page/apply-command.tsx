/** What brings files to a server; in a cluster to all machines, from the operator's own computer. */
export function ApplyCommand({ isOfCluster }: { isOfCluster: boolean }) {
  return (
    <code className="text-sm">
      {isOfCluster ? "sh cluster.sh apply" : "sudo livekit-deploy apply"}
    </code>
  );
}
