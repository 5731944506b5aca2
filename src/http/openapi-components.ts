import { documented, type Members, type ObjectSchema, type Schema } from './json-schema.ts'

type Kind = 'schemas' | 'parameters' | 'headers' | 'responses' | 'examples'

/** What a schema may be made of. */
interface Parts extends Schema {
  readonly title?: string
  readonly description?: string
  readonly properties?: Members
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly [documented]?: object
}

/** The parts of an OpenAPI document that have a name. Each is written once, and referred to. */
export class Components {
  readonly #parts: Record<Kind, Map<string, object>> = {
    schemas: new Map(),
    parameters: new Map(),
    headers: new Map(),
    responses: new Map(),
    examples: new Map(),
  }
  readonly #written = new Map<Schema, object>()

  /** Keeps a part under its name. @throws Error when another part has the name */
  refer(kind: Kind, name: string, part: object): { $ref: string } {
    const before = this.#parts[kind].get(name) ?? part
    if (JSON.stringify(before) !== JSON.stringify(part))
      throw new Error(`The OpenAPI document has two different ${kind} named ${name}`)
    this.#parts[kind].set(name, part)
    return { $ref: `#/components/${kind}/${name}` }
  }

  /** A schema as the document has it: one with a title is a component of that name. Each is written once. */
  schema(schema: Schema): object {
    const written = this.#written.get(schema) ?? this.#write(schema)
    this.#written.set(schema, written)
    return written
  }

  #write(schema: Schema): object {
    const { [documented]: besides, ...own } = schema as Parts
    const { title, properties, items, anyOf, ...keywords }: Parts = { ...own, ...besides }
    const written = {
      ...('enum' in keywords && { type: 'string' }), // the server's own schemas go without it
      ...keywords,
      ...(properties && { properties: mapValues(properties, (member) => this.schema(member)) }),
      ...(items && { items: this.schema(items) }),
      ...(anyOf && { anyOf: anyOf.map((one) => this.schema(one)) }),
    }
    return title === undefined ? written : this.refer('schemas', title, written)
  }

  /** The members of a schema as parameters: one with a title is a component of that name. */
  parameters(place: 'path' | 'query' | 'header', { properties, required = [] }: ObjectSchema): object[] {
    return Object.entries(properties).map(([name, member]) => {
      const { title, description, ...schema } = member as Parts
      const isRequired = required.includes(name)
      const parameter = { name, in: place, required: isRequired, description, schema: this.schema(schema) }
      return title === undefined ? parameter : this.refer('parameters', title, parameter)
    })
  }

  /** All parts that were referred to, ordered by name. */
  written(): Record<string, object> {
    return mapValues(this.#parts, (parts) =>
      Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1))),
    )
  }
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}
