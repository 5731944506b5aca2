/*
 * What every database of test/released holds. Release after release adds files: what stands here is only added to.
 */

/** The password of every account. */
export const password = 'a long enough password'

export const accounts = [
  { email: 'head@school.example', name: 'Åsa Öhman', role: 'administrator' },
  { email: 'office@school.example', name: 'Олена Коваль', role: 'registrar' },
  { email: 'nobody@school.example', name: 'Nobody', role: undefined },
]

/** The label that class 2 is given. A thirteenth class is added, and the twelfth is removed. */
export const renamedLabel = 'Klasse 2ß'
export const addedLabel = 'संगीत'

/** In the order of their ids, from 1. */
export const students = [
  { name: 'Zoë Müller', admission_number: '2026-0001', class_id: 1 },
  { name: 'Мария Шевченко', admission_number: '2026-0002', class_id: 2 },
  { name: '李小龙', admission_number: '2026/0003', class_id: 2 },
  { name: 'さくら 山本', admission_number: 'É-№5ß', class_id: 3 },
  { name: 'محمد علي', admission_number: 'A 17-0009', class_id: 13 },
  { name: 'Nguyễn Văn Ổ', admission_number: 'GS-2026-000006', class_id: 3 },
  { name: 'अमित शर्मा', admission_number: '00000000000000000007', class_id: 13 },
  { name: 'O’Brien-Łukasz (Ann)', admission_number: '100%', class_id: 1 },
]

/** Searches, and the ids of who is found. */
export const searches: readonly (readonly [search: string, ids: readonly number[]])[] = [
  ['muller zo', [1]],
  ['шевч', [2]],
  ['小龙', [3]],
  ['山', [4]],
  ['علي', [5]],
  ['2026', [1, 2, 3, 6]],
  ['शर्मा', [7]],
  ['lukasz', [8]],
]
