import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { everything, exampleFile, type Route, routesOf } from './routes.ts'
import { openSchool } from './school.ts'

const ofHouses = { label: 'Houses', kind: 'one_of', options: ['Ash'] }

describe('every route that needs If-Match', () => {
  it('is 412 for a weak tag of the very version (RFC 9110 §13.1.1), and writes nothing', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const made: Record<string, number> = {
      students: await school.student(admin),
      users: (await school.person()).id,
      classes: (await school.post('/api/classes', { label: 'New' }, admin)).body.data.id,
      fields: (await school.post('/api/fields', ofHouses, admin)).body.data.id,
      lists: (await school.post('/api/lists', { name: 'New' }, admin)).body.data.id,
      roles: (await school.post('/api/roles', { name: 'New', permissions: [] }, admin)).body.data.id,
    }
    const file = await school.send('POST', '/api/imports', { as: admin, ...exampleFile })
    made.imports = file.body.data.id
    const routes = (await routesOf(school)).filter(({ operation }) => '428' in operation.responses)
    assert.equal(routes.length, 16)
    const inOrder = [...routes].sort((one, other) => Number(isRemoval(one)) - Number(isRemoval(other)))
    for (const route of inOrder) {
      await school.app.importJobs.idle()
      const name = `${route.method} ${route.path}`
      const kind = route.path.split('/')[2]!
      const record = kind in made ? `/api/${kind}/${made[kind]}` : `/api/${kind}`
      const tag = String((await school.get(record, admin)).headers.etag)
      const send = (ifMatch: string) =>
        school.send(route.method, route.path.replace(`/api/${kind}/{id}`, record), {
          as: admin,
          body: route.path.endsWith('/{id}/roles') ? { roles: [] } : route.example,
          headers: { 'if-match': ifMatch },
        })
      const before = await everything(school)
      for (const weak of [`W/${tag}`, `"x", W/${tag}`, `W/"x", W/${tag}`]) {
        const answer = await send(weak)
        assert.deepEqual([answer.status, answer.body.code], [412, 'precondition_failed'], `${name} ${weak}`)
      }
      assert.match(
        (await send(`W/${tag}`)).body.detail,
        /a weak entity tag, which never matches: .*without W\//,
      )
      for (const other of [tag.replaceAll('"', ''), `w/${tag}`, `x${tag}`, `${tag}x`, `*, ${tag}`]) {
        const answer = await send(other)
        assert.deepEqual([answer.status, answer.body.code], [412, 'precondition_failed'], `${name} ${other}`)
        assert.match(answer.body.detail, /no entity tag: send the ETag with its quotation marks/)
      }
      assert.equal(await everything(school), before, `${name} wrote`)
      const strong = await send(`W/${tag}, ,${tag} ,`)
      assert.ok(strong.status < 300, `${name}: ${strong.text}`)
    }
  })
})

const isRemoval = ({ method }: Route) => method === 'DELETE'
