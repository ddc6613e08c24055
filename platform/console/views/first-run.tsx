import type { ComponentChildren } from "preact";

import { useAnswer } from "../answer";
import { quoted } from "../curl";
import { CopyButton } from "../parts/copy";
import { Problem } from "../parts/layout";
import { useStore } from "../store";

/** A page without contents: what leads a program to this platform, with a key that works. */
export function FirstRun({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { origin, dataFolder } = useStore().state;
  // The markup of the server holds no secrets, so the key is read by the page.
  const { answer, problem } = useAnswer<{ readonly key: string }>("POST", "/console/key");
  const key = answer?.key;
  const command = dataFolder && `npx --no -- neon-platform run --data ${quoted(dataFolder)} -- pulumi up`;
  const variables = `export NEON_API_HOST=${origin}/api/v2\nexport NEON_API_KEY=${key ?? "…"}`;
  return (
    <div class="empty">
      <h1>{title}</h1>
      <p>{children}</p>
      {command !== undefined && (
        <div class="secret">
          <code>{command}</code>
          <CopyButton label="command" text={command} />
        </div>
      )}
      <p>
        {command !== undefined && (
          <>
            Any command can follow the last <code>--</code>.{" "}
          </>
        )}
        In a shell of your own, set these variables:
      </p>
      <div class="secret">
        <code>{variables}</code>
        {key !== undefined && <CopyButton label="variables" text={variables} />}
      </div>
      <Problem text={problem} />
      <p class="soft">The key is good on this platform only.</p>
    </div>
  );
}
