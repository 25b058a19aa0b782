#!/bin/sh
# build-program.sh: builds the program that STRIPE_MOCK names for `npm run proof:real stripe`, and puts Stripe's
# description of its API, which the module brings along, beside it. Needs Go 1.21 or later.
set -eu
version=v0.203.0
folder=$(dirname "$STRIPE_MOCK")
mkdir -p "$folder"
GOBIN=$folder CGO_ENABLED=0 go install "github.com/stripe/stripe-mock@$version"
[ "$folder/stripe-mock" = "$STRIPE_MOCK" ] || mv "$folder/stripe-mock" "$STRIPE_MOCK"
install -m 644 "$(go env GOMODCACHE)/github.com/stripe/stripe-mock@$version/embedded/openapi/spec3.json" "$folder/spec3.json"
