import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exampleFile, routesOf } from './routes.ts'
import { openSchool } from './school.ts'

describe('every list that is read in pages', () => {
  it('names its other pages by references that give them', async () => {
    const school = await openSchool()
    const admin = await school.person('administrator')
    const file = await school.send('POST', '/api/imports', { as: admin, ...exampleFile })
    await school.app.importJobs.idle()
    const paged = (await routesOf(school)).filter(({ operation }) => operation.responses[200]?.headers?.Link)
    assert.ok(paged.length >= 20)
    for (const { method, path } of paged) {
      const asked = `${path.replace(/\{\w+\}/, String(file.body.data.id))}?per_page=1`
      const page = await school.send(method, asked, { as: admin })
      assert.equal(page.status, 200, `${method} ${asked}: ${page.text}`)
      const [, first = ''] = /^<([^>]+)>; rel="first"/.exec(String(page.headers.link)) ?? []
      const followed = await school.send(method, first, { as: admin })
      assert.deepEqual([followed.status, followed.body], [200, page.body], `${method} ${first}`)
    }
  })
})
