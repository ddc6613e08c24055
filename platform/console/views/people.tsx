import type { LimitView, View } from "../../console-server/protocol";

/** Organizations with their members, and the limits of the platform. */
export function PeoplePage({ view }: { readonly view: Extract<View, { readonly kind: "people" }> }) {
  return (
    <>
      <div class="head">
        <div class="titles">
          <h1>People and limits</h1>
          <p class="soft">Organizations, their members, and how much of each limit is used</p>
        </div>
      </div>
      <div class="columns">
        <section aria-label="Organizations">
          {view.organizations.map((organization) => (
            <div class="card" key={organization.id}>
              <div class="row">
                <h2>{organization.name}</h2>
                <span class="badge accent">{organization.plan}</span>
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
  const share = Math.min(1, (used ?? 0) / limit);
  return (
    <div class="limit">
      <div class="row">
        <span>{name.charAt(0).toUpperCase() + name.slice(1)}</span>
        <span class="grow" />
        <span class="number">
          {used === undefined ? "–" : used.toLocaleString("en")} / {limit.toLocaleString("en")}
        </span>
      </div>
      <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" rx="3" />
        <rect class={share > 0.9 ? "bad" : "good"} width={(share * 100).toFixed(1)} height="6" rx="3" />
      </svg>
      {missingOption !== undefined && (
        <p class="soft">
          Not enforced. Start the platform with <code>{missingOption}</code> to enforce it.
        </p>
      )}
    </div>
  );
}
