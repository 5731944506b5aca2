import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Access, App } from './context.ts'

/** The page's own policy: its scripts and styles from here, nothing from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Registrar: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`

/**
 * Swagger UI fills in a parameter's default. Optional parameters are to stay empty, so its copy of the document has no
 * defaults; descriptions tell them. The token is kept in the browser's local storage until Logout is pressed.
 */
const start = `const withoutDefaults = (document) =>
  JSON.parse(JSON.stringify(document, (name, value) => (name === 'default' ? undefined : value)))
const emptyParameters = { updateJsonSpec: (update) => (document) => update(withoutDefaults(document)) }

SwaggerUIBundle({
  url: '/api/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, persistAuthorization: true,
  plugins: [{ statePlugins: { spec: { wrapActions: emptyParameters } } }],
})
`

/** Swagger UI's own files come from the package that carries them without an install script. */
const assets = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

/** One copy for all readers, however slowly each takes it. */
function readOnce(name: string): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined
  return () => {
    content ??= readFile(join(assets, name))
    return content
  }
}

/** Serves the interactive reference page. */
export function serveReferencePage(app: App, access: { access: Access }): void {
  const files: [path: string, type: string, content: () => string | Promise<Buffer>][] = [
    ['/api/docs', 'text/html', () => page],
    ['/api/docs/start.js', 'text/javascript', () => start],
    ['/api/docs/swagger-ui-bundle.js', 'text/javascript', readOnce('swagger-ui-bundle.js')],
    ['/api/docs/swagger-ui.css', 'text/css', readOnce('swagger-ui.css')],
  ]
  for (const [path, type, content] of files) {
    app.get(path, { schema: { hide: true }, config: access }, async (_request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('Content-Security-Policy', contentSecurityPolicy)
      return reply.send(await content())
    })
  }
}
