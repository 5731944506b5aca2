/* The children of the school in the pictures: the same ones each time. */

const given =
  'Zoë Ali Mia Noah Änne Björn Elif Tom Aylin Jonas Świętosława Søren Anna Luca Fatima Emil Yên Paul'
const family =
  'Müller Öz Braun Lefèvre Nowak Özdoğan Peña Ødegård Weiß Kaya Schönfelder-Wetterstein Trần Wolf'
const foreign = ['فاطمة الخطيب', 'Анна Соловей', '王小明', 'ليلى الحداد', 'Θεοδώρα Παπαδάκη']
const relations = ['mother', 'father', 'grandmother']
const streets = ['Hill Lane', 'Mill Road', 'Station Street', 'Am Alten Güterbahnhof']

const of = <Item>(list: readonly Item[], place: number): Item => list[place % list.length]!

function guardianOf(i: number, last: string) {
  const who = of(['Jörg', 'Eva', 'Mehmet', 'Ingrid', 'Nadia'], i)
  return {
    name: `${who} ${last}`,
    relation: of(relations, i),
    phone: `0171 555 ${String(1000 + i * 37)}`,
    ...(i % 3 === 0 && { email: `${who.toLowerCase().replace('ö', 'oe')}.${i}@home.example` }),
  }
}

/** A child by its place: every sixth has no date of birth, every seventh no guardian, some one name only. */
function pupil(i: number) {
  const last = of(family.split(' '), i * 5)
  const first = of(given.split(' '), i)
  const isForeign = i % 12 === 11
  const names = isForeign ? { name: of(foreign, (i - 11) / 12) } : { given_name: first, family_name: last }
  return {
    ...names,
    admission_number: `2026-${String(i + 1).padStart(4, '0')}`,
    class_id: (i % 8) + 1,
    ...(i % 6 !== 5 && {
      date_of_birth: `20${15 - (i % 5)}-0${(i % 9) + 1}-${String((i % 27) + 1).padStart(2, '0')}`,
    }),
    ...(i % 2 === 0 && { gender: i % 4 === 0 ? 'f' : 'm' }),
    ...(i % 3 === 0 && { address: `${i + 1} ${of(streets, i)}\n12345 Greenton` }),
    ...(i % 7 !== 6 && { guardians: [guardianOf(i, last)] }),
    fields: {
      house: of(['Blue', 'Red', 'Green'], i),
      ...(i % 2 === 0 && { bus: of(['1', '2', '3'], i / 2) }),
      ...(i % 4 !== 3 && { photo_consent: i % 5 !== 0 }),
    },
  }
}

/** Sixty-four children, so that a list has two pages. The first two are brother and sister; two may be one child. */
export function pupils() {
  const all = Array.from({ length: 64 }, (_, i): Record<string, unknown> => pupil(i))
  const guardians = [
    { name: 'Jörg Müller', relation: 'father', phone: '+49 30 901820', email: 'joerg@home.example' },
    { name: 'Elif Müller-Öz', relation: 'mother', phone: '0171 555 0190' },
  ]
  Object.assign(all[0]!, { preferred_name: 'Zozo', class_id: 5, date_of_birth: '2014-03-09', guardians })
  Object.assign(all[1]!, { given_name: 'Ali', family_name: 'Müller', class_id: 3, guardians: [guardians[0]] })
  Object.assign(all[12]!, { given_name: 'Anna', family_name: 'Weiß', date_of_birth: '2015-05-04' })
  Object.assign(all[40]!, { given_name: 'Anna', family_name: 'Weiss', date_of_birth: '2015-05-04' })
  return all
}

/** A file of an office: new children, changed ones, one who may be there already, and one with a day that is none. */
export const august = [
  'Name;Admission number;Class;Date of birth;Bus line',
  'Mia Sommer;2026-0100;Class 1;13.9.2019;1',
  'Tom Berg;2026-0101;1 blue;14.9.2019;2',
  'Łukasz Wójcik;2026-0102;Class 1;2.2.2020;2',
  'Björn Weiß;2026-0006;Class 7;;3',
  'Elif Müller;2026-0007;Class 7;;1',
  'Anna Weis;2026-0103;Class 5;4.5.2015;1',
  'No Day;2026-0104;Class 1;99.99.2019;1',
].join('\n')

/** What is as long as it may be, or as many as there may be. */
export const longest = {
  name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(7)}welche`.slice(0, 255),
  guardians: Array.from({ length: 10 }, (_, i) => ({
    name: i === 1 ? 'x'.repeat(200) : `Guardian ${i + 1} Schönfelder-Wetterstein`,
    relation: of(relations, i),
    phone: `0171 555 ${1000 + i}`,
    email: `guardian.${i + 1}@a-rather-long-name-of-a-house.example`,
    note: 'Fetches the child on Tuesdays and Thursdays, and every second Friday, from the gate at the back.',
  })),
  fields: Array.from({ length: 40 }, (_, i) => ({
    label:
      i % 5 === 4
        ? `Einverständniserklärung zur Veröffentlichung von Fotografien ${i + 1}`
        : `Own field ${i + 1}`,
    kind: of(['text', 'yes_no', 'number', 'date', 'text_in_lines'] as const, i),
  })),
  classes: Array.from({ length: 300 }, (_, i) => ({
    label: `${i + 13} ${i % 50 === 0 ? 'w'.repeat(40) : of(['blue', 'red'], i)}`,
  })),
}
