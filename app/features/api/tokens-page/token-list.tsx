import { fill } from "~/features/workspaces/fill";
import { ConfirmedForm, PageSection } from "~/features/workspaces/page-parts";
import { shortDayOf, shortMomentOf } from "~/ui/dates";
import type { TokenIntent, TokenOutcome } from "./token-changes.server";
import type { ListedToken, TokensView } from "./tokens-view.server";

type Labels = TokensView["words"]["tokens"];

/** The tokens of the workspace, each with the form that revokes it. */
export function TokenList({
  view: { words, workspace, tokens = [] },
  outcome,
}: {
  view: TokensView;
  outcome: TokenOutcome | undefined;
}) {
  const labels = words.tokens;
  const refused = outcome?.ok === false && outcome.intent === "revoke-token" ? outcome : undefined;
  return (
    <PageSection
      id="tokens"
      title={fill(labels.list, { workspace: workspace.name })}
      failure={refused?.message}
      done={outcome?.ok && "revoked" in outcome ? labels.revoked : undefined}
    >
      {tokens.length === 0 ? (
        <p className="text-ink-soft">{labels.none}</p>
      ) : (
        <ul className="border-t border-line">
          {tokens.map((token) => (
            <Token key={token.id} token={token} labels={labels} />
          ))}
        </ul>
      )}
    </PageSection>
  );
}

function Token({ token, labels }: { token: ListedToken; labels: Labels }) {
  const { name, ending, createdAt, endsAt, hasEnded, lastUsedOn, scopes } = token;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-strong wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          {fill(labels.line, {
            ...{ ending, made: shortMomentOf(createdAt), maker: makerOf(token, labels) },
            used: lastUsedOn
              ? fill(labels.used, { day: shortDayOf(`${lastUsedOn}T00:00:00Z`) })
              : labels.unused,
          })}
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          <code>{scopes.join(", ")}</code>
        </p>
        <p className={hasEnded ? "text-sm text-failure" : "text-sm text-ink-soft"}>
          {fill(hasEnded ? labels.ended : labels.until, { end: shortMomentOf(endsAt) })}
        </p>
      </div>
      <div className="text-sm">
        <ConfirmedForm
          summary={fill(labels.revoke, { name })}
          says={labels.revokeSays}
          button={labels.revokeButton}
          action="#tokens"
          fields={{ intent: "revoke-token" satisfies TokenIntent, token: token.id }}
        />
      </div>
    </li>
  );
}

function makerOf({ maker: { address, isMember } }: ListedToken, labels: Labels): string {
  if (address === "") return labels.gone;
  return isMember ? address : fill(labels.former, { address });
}
