# The keys of this machine, and what is in a token that one of them signed: for sessions.py, evidence.py and insights.py.
import base64
import hashlib
import hmac
import json


# Each secret in a file of secrets, by its name.
def secrets(path):
    values = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            name, _, value = line.strip().partition("=")
            values[name] = value.strip("'\"")
    return values


# The secrets of LiveKit's API keys, by the key. While a key is replaced there are two.
def api_keys(values):
    pairs = {values.get(f"{name}_KEY"): values.get(f"{name}_SECRET") for name in ("LIVEKIT_API", "LIVEKIT_OLD_API")}
    return {key: secret for key, secret in pairs.items() if key and secret}


def unpadded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


# The claims of a token that the secret of its key signed, or None. Whether they hold now, and for what, the caller decides.
def claims(token, pairs):
    try:
        head, stated, signature = token.split(".")
        found = json.loads(unpadded(stated))
        right = hmac.new(pairs[found["iss"]].encode(), f"{head}.{stated}".encode(), hashlib.sha256).digest()
        is_signed = json.loads(unpadded(head))["alg"] == "HS256" and hmac.compare_digest(right, unpadded(signature))
        return found if is_signed else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
