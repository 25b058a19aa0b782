#!/bin/sh
# build-programs.sh: builds into the folder KUBERNETES_PROGRAMS what `npm run proof:real kubernetes` needs: Helm, kubectl,
# and what answers Kubernetes' API and plans pods, with etcd. Needs Go 1.26, or an older one that fetches it, two
# gigabytes and half an hour on two cores. Nothing of it runs containers. LiveKit's charts are cloned beside them.
set -eu
kubernetes=1.36.3
etcd=v3.6.8
helm=v3.22.0
charts=27d22b5659a2afa4b12d696e5155359fdce3c2f3

mkdir -p "$KUBERNETES_PROGRAMS"
export GOBIN="$KUBERNETES_PROGRAMS" GOFLAGS='-buildvcs=false -mod=mod'
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT

if [ ! -d "$KUBERNETES_PROGRAMS/charts" ]; then
  git clone -q --no-checkout https://github.com/livekit/livekit-helm "$KUBERNETES_PROGRAMS/charts"
  git -C "$KUBERNETES_PROGRAMS/charts" -c advice.detachedHead=false checkout -q "$charts"
fi

GOFLAGS=-buildvcs=false go install "helm.sh/helm/v3/cmd/helm@$helm"

# Kubernetes replaces its own libraries by folders, which no Go proxy serves: by their releases they are the same.
cd "$work"
module=$(go mod download -json "k8s.io/kubernetes@v$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
{
  echo 'module programs'
  grep '^go ' "$module"
  echo "require k8s.io/kubernetes v$kubernetes"
  echo "require go.etcd.io/etcd/server/v3 $etcd"
  echo 'replace ('
  sed -n "s|^\t\(k8s.io/[a-z-]*\) => ./staging.*|\t\1 => \1 v0.${kubernetes#1.}|p" "$module"
  echo ')'
} >go.mod
go build -o "$GOBIN/etcd" go.etcd.io/etcd/server/v3
version=k8s.io/component-base/version
for name in kube-apiserver kube-controller-manager kube-scheduler kubectl; do
  go build -ldflags "-s -w -X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=36" \
    -o "$GOBIN/$name" "k8s.io/kubernetes/cmd/$name"
done
