// Measures times
import { appendFileSync } from 'node:fs'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { write } from './src/events/write.ts'
import { openSchool } from './test/school.ts'
import { stage } from './test/staged-imports.ts'

const count = Number(process.env.ROWS ?? 100000)
const given = ['Anna','Ben','Clara','David','Emil','Frieda','Gustav','Hanna','Ida','Jonas','Karl','Lena','Mia','Noah','Oskar','Paula','Quirin','Rosa','Samuel','Tilda']
const family = ['Müller','Schmidt','Schneider','Fischer','Weber','Meyer','Wagner','Becker','Schulz','Hoffmann','Koch','Bauer','Richter','Klein','Wolf','Neumann','Schwarz','Zimmermann','Braun','Krüger']
const header = ['admission_number','name','given_name','family_name','class_id','date_of_birth','gender','guardian_1_name','guardian_1_phone','guardian_1_email']
let seed = 1
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed % n }
const rows = Array.from({ length: count }, (_, i) => {
  const g = `${given[rnd(20)]} ${given[rnd(20)]}`, f = `${family[rnd(20)]}${['', '-' + family[rnd(20)]][rnd(2)]}`
  const d = new Date(Date.UTC(2006, 0, 1) + rnd(4380) * 86400000).toISOString().slice(0, 10)
  return [`2026-${String(i).padStart(6, '0')}`, `${g} ${f}`, g, f, String(1 + rnd(12)), d, 'x', `Maria ${f}`, `+49 30 ${100000 + i}`, `maria${i}@family.example`]
})
const log: string[] = []
const say = (line: string) => { appendFileSync('/tmp/imp-apply/speed.log', `${process.env.TEST_ENGINE} ${line}\n`) }
const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const began = performance.now(); const cpu = process.cpuUsage()
  const loop: number[] = []; const waits: number[] = []
  let on = true
  const watch = (async () => { while (on) { const t = performance.now(); await pause(5); loop.push(performance.now() - t - 5) } })()
  const writer = (async () => { while (on) { const t = performance.now(); await write(school!.db, {}, (db) => db.updateTable('platform').set({ administrator_since: null }).execute()); waits.push(performance.now() - t); await pause(20) } })()
  let result: T
  try { result = await work() } finally { on = false }
  await Promise.all([watch, writer])
  const p = (a: number[], q: number) => a.sort((x, y) => x - y)[Math.floor(a.length * q)]?.toFixed(0)
  const used = process.cpuUsage(cpu)
  say(`${what}: ${((performance.now() - began) / 1000).toFixed(2)} s, cpu ${(used.user/1e6).toFixed(1)}; loop p99 ${p(loop, 0.99)} max ${p(loop, 0.9999)}; writes p50 ${p(waits,0.5)} p99 ${p(waits, 0.99)} max ${p(waits,0.9999)}; rss ${(process.memoryUsage().rss / 1e6).toFixed(0)}`)
  return result
}
let school: Awaited<ReturnType<typeof openSchool>> | undefined
it('speed', { timeout: 900000 }, async () => {
  school = await openSchool()
  const registrar = await school.person('registrar')
  const s = await stage(school, registrar, { header, rows })
  say(JSON.stringify(await timed('plan new', () => s.plan())))
  const d = await s.rows(registrar, { outcome: 'doubtful' }); if (d.length) say(JSON.stringify(d.slice(0, 2)))
  say(await timed('apply new', () => s.apply(registrar, { refused: 'skip' })))
  const u = await stage(school, registrar, { header, rows })
  say(JSON.stringify(await timed('plan unchanged', () => u.plan())))
  const other = rows.map((r) => [r[0]!.replace('2026', '2027'), `${r[1]} Y`, ...r.slice(2)])
  const n = await stage(school, registrar, { header, rows: other })
  say(JSON.stringify(await timed('plan new beside as many', () => n.plan())))
  const c = await stage(school, registrar, { header, rows: rows.map((r) => r.with(4, String(1 + (Number(r[4]) % 12)))) })
  say(JSON.stringify(await timed('plan changed', () => c.plan())))
  const counts = (await c.row()).counts!
  say(await timed('apply changed', () => c.apply(registrar, { confirm: { change: counts.change } })))
  say(await timed('undo changed', () => c.undo(registrar)))
  say(await timed('undo new', () => s.undo(registrar)))
})
