import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from './json-schema.ts'
import { Components } from './openapi-components.ts'

describe('a component of the OpenAPI document', () => {
  const pet = Type.Object({ kind: Type.Enum(['cat', 'dog'], { title: 'Kind' }) }, { title: 'Pet' })
  const $ref = '#/components/schemas/Pet'

  it('is a schema with a title: it is written once, and referred to wherever it stands', () => {
    const components = new Components()
    const home = Type.Object({ pet, pets: Type.Array(pet), guest: Type.Optional(pet) })
    const written = JSON.parse(JSON.stringify(components.schema(home)))
    assert.deepEqual(written.properties, {
      pet: { $ref },
      pets: { type: 'array', items: { $ref } },
      guest: { $ref },
    })
    const { schemas } = components.written() as { schemas: Record<string, object> }
    assert.deepEqual(Object.keys(schemas), ['Kind', 'Pet'])
    assert.deepEqual(schemas.Kind, { type: 'string', enum: ['cat', 'dog'] })
  })

  it('has a name of its own: another schema of that name fails the document', () => {
    const components = new Components()
    components.schema(pet)
    assert.throws(
      () => components.schema(Type.Object({}, { title: 'Pet' })),
      /two different schemas named Pet/,
    )
    assert.throws(() => components.schema(Type.Nullable(pet)), /two different schemas named Pet/)
  })

  it('is also a parameter with a title', () => {
    const components = new Components()
    const page = Type.Optional(Type.String({ title: 'Page', description: 'Which', maxLength: 5 }))
    const parameters = components.parameters('query', Type.Object({ page }))
    assert.deepEqual(parameters, [{ $ref: '#/components/parameters/Page' }])
    const written = components.written() as { parameters: object }
    assert.deepEqual(JSON.parse(JSON.stringify(written.parameters)), {
      Page: {
        name: 'page',
        in: 'query',
        required: false,
        description: 'Which',
        schema: { type: 'string', maxLength: 5 },
      },
    })
  })
})
