import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSchool, type Person, type School } from '../../test/school.ts'

/** The targets of a `Link` header (RFC 8288 §3), by relation. */
function linksOf(header: unknown): Record<string, string> {
  const links = [...String(header).matchAll(/<([^>]*)>; rel="(\w+)"(?:, |$)/g)]
  assert.equal(links.map(([link]) => link).join(''), header)
  return Object.fromEntries(links.map(([, target, rel]) => [rel!, target!]))
}

describe('GET /api/students', () => {
  const total = 45
  let school: School
  let viewer: Person
  before(async () => {
    school = await openSchool()
    viewer = await school.person('viewer')
    const registrar = await school.person('registrar')
    for (let i = 1; i <= total; i++) {
      await school.student(registrar, {
        name: `Student ${i}`,
        admission_number: `L-${i}`,
        class_id: 1 + (i % 12),
      })
    }
  })

  const list = (query = '') => school.get(`/api/students${query}`, viewer)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  async function idsOf(query: string): Promise<number[]> {
    const answer = await list(query)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.map(({ id }: { id: number }) => id)
  }

  it('gives the first twenty by id, and says how many there are', async () => {
    const { status, body } = await list()
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['success', 'data', 'pagination'])
    assert.deepEqual(body.data[0], {
      id: 1,
      name: 'Student 1',
      admission_number: 'L-1',
      class_id: 2,
      class: 'Class 2',
    })
    assert.deepEqual(await idsOf(''), range(1, 20))
    assert.deepEqual(body.pagination, { total, page: 1, per_page: 20, total_pages: 3 })
  })

  const pages: [query: string, from: number, to: number, pages: number][] = [
    ['?page=2', 21, 40, 3],
    ['?page=3', 41, 45, 3],
    ['?per_page=1', 1, 1, 45],
    ['?per_page=1&page=45', 45, 45, 45],
    ['?per_page=15&page=3', 31, 45, 3],
    ['?per_page=44&page=2', 45, 45, 2],
    ['?per_page=45', 1, 45, 1],
    ['?per_page=1000', 1, 45, 1],
    ['?page=007', 1, 0, 3],
  ]
  for (const [query, from, to, total_pages] of pages) {
    it(`${query} gives ${from > to ? 'nobody' : `${from} to ${to}`}, of ${total_pages} pages`, async () => {
      const { body } = await list(query)
      assert.deepEqual(await idsOf(query), range(from, to))
      assert.deepEqual([body.pagination.total, body.pagination.total_pages], [total, total_pages])
    })
  }

  for (const query of ['?page=4', '?page=1000000', '?page=1000000&per_page=1000', '?page=2&per_page=45']) {
    it(`${query} is past the end: empty, with the same total`, async () => {
      const { status, body } = await list(query)
      assert.equal(status, 200)
      assert.deepEqual(body.data, [])
      assert.equal(body.pagination.total, total)
    })
  }

  for (const query of [
    '?page=',
    '?per_page=',
    '?search=',
    '?page=&per_page=&search=',
    '?',
    '?&',
    '?page',
    '?search',
  ]) {
    it(`${query} is no query`, async () => {
      assert.deepEqual((await list(query)).body, (await list()).body)
    })
  }

  for (const query of ['?_=1', '?_x', '?_page=5&_page=6', '?__proto__=1', '?_=%25zz']) {
    it(`${query} is ignored, as are all parameters that begin with _`, async () => {
      assert.deepEqual((await list(query)).body, (await list()).body)
    })
  }

  const refused: [query: string, pointer: string, code: string][] = [
    ['page=0', '/page', 'out_of_range'],
    ['page=1000001', '/page', 'out_of_range'],
    ['page=99999999999999999999', '/page', 'wrong_type'],
    ...[
      '-1',
      '-0',
      '+1',
      '%2B1',
      '1.0',
      '1e3',
      '0x10',
      '0b1',
      '%201',
      '1%20',
      '1,000',
      '१',
      'one',
      'true',
      'null',
      '[1]',
    ].map((value): [string, string, string] => [`page=${value}`, '/page', 'wrong_type']),
    ['per_page=0', '/per_page', 'out_of_range'],
    ['per_page=1001', '/per_page', 'out_of_range'],
    ['per_page=1000000000', '/per_page', 'out_of_range'],
    ['per_page=-1', '/per_page', 'wrong_type'],
    ['per_page=1e9', '/per_page', 'wrong_type'],
    ['per_page=all', '/per_page', 'wrong_type'],
    ['page[]=1', '/page[]', 'unknown_parameter'],
    ['page%5B0%5D=1', '/page[0]', 'unknown_parameter'],
    ['search[$gt]=', '/search[$gt]', 'unknown_parameter'],
    ['Page=1', '/Page', 'unknown_parameter'],
    ['limit=5', '/limit', 'unknown_parameter'],
    ['limit=', '/limit', 'unknown_parameter'],
    ['constructor=1', '/constructor', 'unknown_parameter'],
    ['toString', '/toString', 'unknown_parameter'],
    ['page=2;per_page=5', '/page', 'wrong_type'],
    [`search=${'a'.repeat(101)}`, '/search', 'too_long'],
    [`search=${encodeURIComponent('𠮷'.repeat(101))}`, '/search', 'too_long'],
  ]
  for (const [query, pointer, code] of refused) {
    it(`refuses ?${query.length > 60 ? `${query.slice(0, 20)}… (${query.length})` : query}`, async () => {
      const answer = await list(`?${query}`)
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.code, 'validation_failed')
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code])
      assert.equal(answer.body.errors.length, 1)
    })
  }

  it('says which parameters there are when it refuses one', async () => {
    const answer = await list('?limit=5')
    assert.match(
      answer.body.errors[0].detail,
      /accepted are: page, per_page, search, class_id, guardian, sort, columns, gender, /,
    )
  })

  it('names every bad parameter at once', async () => {
    const { body } = await list('?page=0&per_page=x&sort=size')
    assert.deepEqual(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/page',
      '/per_page',
      '/sort',
    ])
  })

  for (const query of [
    'page=1&page=2',
    'page=1&page=1',
    'page=&page=2',
    'search=a&search=b',
    'pag%65=1&page=2',
    'x=1&x=1',
  ]) {
    it(`refuses ?${query}: a parameter given twice`, async () => {
      const answer = await list(`?${query}`)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'malformed_request')
    })
  }

  for (const query of [
    'search=%',
    'search=%zz',
    'search=%c3',
    'search=%ff',
    'search=%ed%a0%80',
    '%zz=1',
    'search=%C0%AF',
  ]) {
    it(`refuses ?${query}: no percent-encoded UTF-8`, async () => {
      const answer = await list(`?${query}`)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.code, 'malformed_request')
    })
  }

  it('takes a search of exactly 100 characters, whatever their size', async () => {
    for (const character of ['a', 'é', '李', '𠮷']) {
      const { status, text } = await list(`?search=${encodeURIComponent(character.repeat(100))}`)
      assert.equal(status, 200, text)
    }
  })

  it('links to the first, previous, next and last page, as references without a host', async () => {
    const { headers } = await list('?page=2&per_page=10&search=student')
    assert.deepEqual(linksOf(headers.link), {
      first: '/api/students?page=1&per_page=10&search=student',
      prev: '/api/students?page=1&per_page=10&search=student',
      next: '/api/students?page=3&per_page=10&search=student',
      last: '/api/students?page=5&per_page=10&search=student',
    })
  })

  const linked: [query: string, rels: string[], last: string][] = [
    ['', ['first', 'next', 'last'], 'page=3'],
    ['?page=3', ['first', 'prev', 'last'], 'page=3'],
    ['?per_page=45', ['first', 'last'], 'page=1'],
    ['?page=9', ['first', 'prev', 'last'], 'page=3'],
    ['?search=nobody', ['first', 'last'], 'page=1'],
  ]
  for (const [query, rels, last] of linked) {
    it(`links from ${query || 'the first page'} to ${rels.join(', ')}`, async () => {
      const links = linksOf((await list(query)).headers.link)
      assert.deepEqual(Object.keys(links), rels)
      assert.match(links.last!, new RegExp(`[?&]${last}(&|$)`))
    })
  }

  it('leads back from a page past the end to the last page', async () => {
    const { prev } = linksOf((await list('?page=900')).headers.link)
    assert.deepEqual(await idsOf(prev!.slice('/api/students'.length)), range(41, 45))
  })

  for (const query of [
    '?per_page=7',
    '?per_page=4&search=1',
    `?per_page=2&search=${encodeURIComponent('L-1 "&=+%_é')}`,
  ]) {
    it(`${query}: following next shows everybody once, in order`, async () => {
      const everybody = await idsOf(`${query.replace(/per_page=\d+/, 'per_page=1000')}`)
      const seen: number[] = []
      for (let next: string | undefined = `/api/students${query}`; next !== undefined; ) {
        const answer = await school.get(next, viewer)
        assert.equal(answer.body.pagination.total, everybody.length)
        seen.push(...answer.body.data.map(({ id }: { id: number }) => id))
        next = linksOf(answer.headers.link).next
      }
      assert.deepEqual(seen, everybody)
    })
  }

  it('keeps what is searched in its links, exactly', async () => {
    const search = 'Zoë & Søn=1 +2 %41 "x" #?/_'
    const { next, first } = linksOf(
      (await list(`?per_page=1&search=${encodeURIComponent(search)}`)).headers.link,
    )
    assert.equal(next, undefined)
    assert.equal(new URL(first!, 'http://school.example').searchParams.get('search'), search)
  })

  it('gives an empty platform one page of nobody', async () => {
    const empty = await openSchool()
    const answer = await empty.get('/api/students', await empty.person('viewer'))
    assert.deepEqual(answer.body.data, [])
    assert.deepEqual(answer.body.pagination, { total: 0, page: 1, per_page: 20, total_pages: 0 })
    assert.deepEqual(Object.keys(linksOf(answer.headers.link)), ['first', 'last'])
  })
})
