import type { LimitView, ViewOf } from "../../console-server/protocol";
import { Head } from "../parts/layout";
import { Badge, Bar } from "../parts/status";

/** Organizations with their members, and the limits of the platform. */
export function PeoplePage({ view }: { readonly view: ViewOf<"people"> }) {
  return (
    <>
      <Head title="People and limits" about="Organizations, their members, and how much of each limit is used" />
      <div class="columns">
        <section aria-label="Organizations">
          {view.organizations.map((organization) => (
            <div class="card" key={organization.id}>
              <div class="row">
                <h2>{organization.name}</h2>
                <Badge tone="accent">{organization.plan}</Badge>
              </div>
              <p class="soft mono">{organization.id}</p>
              <p>
                {organization.projects} of {organization.projectsLimit.toLocaleString("en")} projects
              </p>
              <ul class="plain-list">
                {organization.members.map(({ email, role }) => (
                  <li key={email}>
                    {email} <span class="soft">{role}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
        <section class="card" aria-label="Limits">
          <h2>Limits</h2>
          {view.limits.map((limit) => (
            <Limit key={limit.name} limit={limit} />
          ))}
        </section>
      </div>
    </>
  );
}

function Limit({ limit: { name, used, limit, missingOption } }: { readonly limit: LimitView }) {
  const share = (used ?? 0) / limit;
  return (
    <div class="limit">
      <div class="row">
        <span>{name.charAt(0).toUpperCase() + name.slice(1)}</span>
        <span class="grow" />
        <span class="number">
          {used === undefined ? "–" : used.toLocaleString("en")} / {limit.toLocaleString("en")}
        </span>
      </div>
      <Bar tone={share > 0.9 ? "bad" : "good"} share={share} />
      {missingOption !== undefined && (
        <p class="soft">
          Not enforced. Start the platform with <code>{missingOption}</code> to enforce it.
        </p>
      )}
    </div>
  );
}
