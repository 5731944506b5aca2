import { build, transform } from 'esbuild'

/** JavaScript from a module of TypeScript, for the Node that the project asks for: types and comments go, lines move. */
export async function asJavaScript(source: string): Promise<string> {
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    target: 'esnext',
    charset: 'utf8',
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
  })
  return namingJavaScript(code)
}

/** JavaScript from a module and all that it imports. */
export async function asOneModule(path: string): Promise<string> {
  const options = { bundle: true, write: false, format: 'esm', target: 'esnext', charset: 'utf8' } as const
  const { outputFiles } = await build({ entryPoints: [path], ...options, legalComments: 'none' })
  return outputFiles[0]!.text
}

/** The text with each relative name of a module in it, of imports, threads and types alike, ending in `.js`. */
export function namingJavaScript(text: string): string {
  return text.replaceAll(/(["'])(\.{1,2}\/[^"'\s]+)\.ts\1/g, '$1$2.js$1')
}
