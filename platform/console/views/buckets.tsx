import type { BranchPlace, CorsView, ObjectListView, ViewOf } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { ageText, bytesText, dateText } from "../format";
import { Table } from "../parts/layout";
import { Badge } from "../parts/status";
import { useNow } from "../store";
import { BranchHead } from "./branch-head";

/** The address of a part of a bucket. */
function address(place: BranchPlace, query: Readonly<Record<string, string>>): string {
  return `${place.path}/buckets?${new URLSearchParams(query).toString()}`;
}

/** The buckets of a branch, and the objects of one of them by folder. */
export function BucketsPage({ view }: { readonly view: ViewOf<"buckets"> }) {
  const { place, buckets, list } = view;
  return (
    <>
      <BranchHead place={place} page="buckets" />
      {!list && <p class="soft">This branch has no buckets.</p>}
      {list && (
        <>
          <nav aria-label="Buckets">
            <ul class="row wrap plain-list">
              {buckets.map(({ name, access, isInherited }) => (
                <li key={name}>
                  <a
                    class="button"
                    href={address(place, { bucket: name })}
                    aria-current={name === list.bucket ? "true" : undefined}
                  >
                    {name} <Badge tone="quiet">{access}</Badge>
                    {isInherited && <Badge tone="quiet">inherited</Badge>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <Objects place={place} list={list} />
          <Cors rules={list.cors} />
        </>
      )}
    </>
  );
}

function Objects({ place, list }: { readonly place: BranchPlace; readonly list: ObjectListView }) {
  const now = useNow();
  const { bucket, prefix, folders, objects, next } = list;
  const names = prefix.split("/").slice(0, -1);
  const isEmpty = folders.length === 0 && objects.length === 0;
  return (
    <>
      <nav class="mono" aria-label="Folder">
        <a href={address(place, { bucket })}>{bucket}</a>
        {names.map((name, index) => (
          <span key={index}>
            {" / "}
            <a href={address(place, { bucket, prefix: `${names.slice(0, index + 1).join("/")}/` })}>{name}</a>
          </span>
        ))}
      </nav>
      {isEmpty ? (
        <p class="soft">No objects.</p>
      ) : (
        <Table titles={["Object", "Size", "Modified", "Headers"]}>
          {folders.map((folder) => (
            <tr key={folder}>
              <th scope="row" class="mono">
                <a href={address(place, { bucket, prefix: folder })}>{folder.slice(prefix.length)}</a>
              </th>
              <td class="soft">folder</td>
              <td />
              <td />
            </tr>
          ))}
          {objects.map(({ key, bytes, modifiedAt, isInherited, type, headers }) => (
            <tr key={key}>
              <th scope="row" class="mono">
                <a download href={`/console/object?${new URLSearchParams({ branch: place.branchId, bucket, key })}`}>
                  {key.slice(prefix.length)}
                </a>{" "}
                {isInherited && <Badge tone="quiet">inherited</Badge>}
              </th>
              <td class="number" data-title="Size">
                {bytesText(bytes)}
              </td>
              <td class="soft" data-title="Modified" title={dateText(modifiedAt)}>
                {ageText(modifiedAt, now)}
              </td>
              <td class="mono" data-title="Headers">
                <ul class="plain-list">
                  {Object.entries({ "content-type": type, ...headers }).map(([name, value]) => (
                    <li key={name}>
                      <span class="soft">{name}:</span> {value}
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {next !== undefined && (
        <p>
          <a href={address(place, { bucket, prefix, after: next })}>Next page</a>
        </p>
      )}
    </>
  );
}

const corsTitles = ["Origins", "Methods", "Allowed headers", "Exposed headers", "Kept for"] as const;

/** The rules by which pages of other origins may use a bucket. */
function Cors({ rules }: { readonly rules: readonly CorsView[] }) {
  return (
    <section class="cors">
      <h2>CORS rules</h2>
      {rules.length === 0 ? (
        <p class="soft">This bucket has no CORS rules.</p>
      ) : (
        <Table titles={corsTitles}>
          {rules.map(({ origins, methods, headers, exposed, maxAgeSeconds }, index) => (
            <tr key={index}>
              {[origins, methods, headers, exposed].map((texts, column) => (
                <td key={column} class="mono" data-title={corsTitles[column]}>
                  {texts.length === 0 ? "–" : texts.join(", ")}
                </td>
              ))}
              <td class="soft" data-title={corsTitles.at(-1)}>
                {maxAgeSeconds === undefined ? "–" : durationText(maxAgeSeconds * 1_000)}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
