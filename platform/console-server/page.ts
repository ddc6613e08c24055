import { html, raw } from "hono/html";

import type { PageState } from "./protocol";

interface PageParts {
  readonly state: PageState;
  readonly title: string;
  /** The rendered page. */
  readonly body: string;
  readonly script: string;
  readonly styles: string;
  readonly token: string;
  /** Lets the editor add its styles. */
  readonly nonce: string;
}

/** The document of the console. Its state is data for the script, in which no text can end the element. */
export function pageDocument({ state, title, body, script, styles, token, nonce }: PageParts) {
  const data = JSON.stringify(state).replaceAll("<", "\\u003c");
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="console-token" content="${token}" />
        <meta name="console-nonce" content="${nonce}" />
        <title>${title}</title>
        <link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/console/assets/${styles}" />
        <script type="module" src="/console/assets/${script}"></script>
      </head>
      <body>
        <div id="page">${raw(body)}</div>
        <script type="application/json" id="state">
          ${raw(data)}
        </script>
      </body>
    </html> `;
}

/** Allows nothing from another host, nothing inline except the styles of the editor, and no other page around the console. */
export const securityHeaders = (nonce: string): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
});
