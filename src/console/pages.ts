/** Where the files of the console are; their names are in the page. */
export const filesPath = '/console'

/** The page's own policy: all from here, nothing inline, and no text becomes markup or script. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const document = (head: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Registrar</title>
<link rel="icon" href="data:,">
${head}</head>
<body>
${body}</body>
</html>
`

/** What a page asks for, and after how long without use its script locks it. */
interface PageParts {
  readonly script: string
  readonly style: string
  readonly imported: readonly string[]
  readonly idleMinutes: number
}

/** The page of the console. It holds no data: its script asks the API. */
export function pageOf({ script, style, imported, idleMinutes }: PageParts): string {
  const ahead = imported.map((name) => `<link rel="modulepreload" href="${filesPath}/${name}">\n`)
  return document(
    `<meta name="idle-minutes" content="${idleMinutes}">
<link rel="stylesheet" href="${filesPath}/${style}">
${ahead.join('')}<script type="module" src="${filesPath}/${script}"></script>
`,
    `<div id="console"></div>
<noscript><p>The console of Registrar needs JavaScript.</p></noscript>
`,
  )
}

/** The script of `startingPage`. Where the address has a `#`, a refresh by markup would ask nothing. */
export const startingScript = { name: 'starting.js', text: 'setTimeout(() => location.reload(), 1000)\n' }

/** What is shown until the console is built: it asks again each second. */
export const startingPage = document(
  `<script src="${filesPath}/${startingScript.name}"></script>\n`,
  '<p role="status">Registrar is starting …</p>\n',
)

/** What is shown where there is no console. @param why a sentence that holds nothing of this machine */
export function absentPage(why: string): string {
  return document(
    '',
    `<h1>Registrar</h1>
<p>This server has no console: ${why}</p>
<p>The API is served: <a href="/api/docs">its reference</a>.</p>
`,
  )
}
