/*
 * JSON Schemas with the types of what they describe; just what the API's messages need. A library of schemas took a
 * fifth of the server's start (docs/decisions/0019-what-a-start-loads.md).
 */

declare const described: unique symbol
const optional = Symbol('optional')

/** Keywords that the OpenAPI document alone has. */
export const documented = Symbol('documented')

/** A schema of values of this type. */
export interface Schema<Value = unknown> {
  readonly [described]?: Value
  readonly type?: string | readonly string[]
}

/** A schema of an object with these members. */
export interface ObjectSchema<Properties extends Members = Members> extends Schema<ValueOf<Properties>> {
  readonly type: 'object'
  readonly properties: Properties
  readonly required?: readonly string[]
}

export type Members = Readonly<Record<string, Schema>>

/** The type of what a schema describes. */
export type Static<S> = S extends { readonly [described]?: infer Value } ? Value : never

/** The keywords of JSON Schema that a schema may have besides. */
interface Keywords {
  readonly $id?: string
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly additionalProperties?: boolean
  readonly patternProperties?: Members
}

interface Optional {
  readonly [optional]: true
}
type OptionalNames<P extends Members> = { [K in keyof P]: P[K] extends Optional ? K : never }[keyof P]
type ValueOf<P extends Members> = Flat<
  { -readonly [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
    -readonly [K in OptionalNames<P>]?: Static<P[K]>
  }
>
type Flat<T> = { [K in keyof T]: T[K] } & {}

const scalar =
  <Name extends string, Value>(type: Name) =>
  (keywords: Keywords = {}): Schema<Value> & { readonly type: Name } => ({ type, ...keywords })

export const Type = {
  String: scalar<'string', string>('string'),
  Integer: scalar<'integer', number>('integer'),
  Number: scalar<'number', number>('number'),
  Boolean: scalar<'boolean', boolean>('boolean'),
  Null: scalar<'null', null>('null'),

  /** One value alone. */
  Literal: <const Value extends string>(value: Value): Schema<Value> & { readonly type: 'string' } =>
    ({ type: 'string', const: value }) as { type: 'string' },

  /** One of some texts. */
  Enum: <const Value extends string>(values: readonly Value[], keywords: Keywords = {}): Schema<Value> =>
    ({ enum: values, ...keywords }) as Schema<Value>,

  Array: <Item extends Schema>(
    items: Item,
    keywords: Keywords = {},
  ): Schema<Static<Item>[]> & { readonly type: 'array' } =>
    ({ type: 'array', items, ...keywords }) as { type: 'array' },

  /** One or the other. */
  Either: <One extends Schema, Other extends Schema>(
    one: One,
    other: Other,
  ): Schema<Static<One> | Static<Other>> => ({ anyOf: [one, other] }) as Schema<Static<One> | Static<Other>>,

  /** All members are required but those that are `Type.Optional`. */
  Object<Properties extends Members>(
    properties: Properties,
    keywords: Keywords = {},
  ): ObjectSchema<Properties> {
    const required = Object.keys(properties).filter((name) => !(optional in properties[name]!))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...keywords }
  },

  /** A member that may be absent. */
  Optional: <S extends Schema>(schema: S): S & Optional => ({ ...schema, [optional]: true }),

  /** A schema that says more in the OpenAPI document than the server looks at. */
  Documented: <S extends Schema>(schema: S, keywords: object): S => ({ ...schema, [documented]: keywords }),

  /** A value that an answer has as JSON already: see `json-text.ts`. The document tells what it is. */
  JsonText: (keywords: object): Schema<string> =>
    Type.Documented({ type: 'string', format: 'unsafe' } as Schema<string>, {
      format: undefined,
      ...keywords,
    }),

  /** A value of the schema, or null. What may be absent besides is `Optional(Nullable(…))`. */
  Nullable: <S extends Schema & { readonly type: string; readonly [optional]?: never }>(
    schema: S,
  ): Schema<Static<S> | null> => ({ ...schema, type: [schema.type, 'null'] }) as Schema<Static<S> | null>,
}
