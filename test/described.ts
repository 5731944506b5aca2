interface Reference {
  readonly $ref?: string
}

/** A part of an OpenAPI document, or what it refers to (RFC 6901 in a fragment). */
export function resolved<Part extends object>(document: object, part: Part & Reference): Part {
  if (part.$ref === undefined) return part
  let found: unknown = document
  for (const name of part.$ref.slice(2).split('/'))
    found = (found as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  return found as Part
}
