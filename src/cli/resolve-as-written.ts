import { registerHooks } from 'node:module'

/**
 * Has this thread take a relative import as it is written, since it names a file. Of each, and they are some 1 600,
 * Node asks whether it is a file, whether a link, and of what kind: a seventh of the start.
 */
export function resolveAsWritten(): void {
  registerHooks({
    resolve(specifier, context, resolveNext) {
      const isFile = specifier.startsWith('.') && context.conditions.includes('import')
      if (!isFile) return resolveNext(specifier, context)
      const { href: url } = new URL(specifier, context.parentURL)
      return { url, format: url.endsWith('.ts') ? 'module-typescript' : undefined, shortCircuit: true }
    },
  })
}
