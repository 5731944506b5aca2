import { type People, peoples } from './names.ts'
import { pickEvenly, picker, type Random, seededRandom, zipfPicker } from './random.ts'

/** A student as someone at a school's desk would type it. */
export interface Person {
  readonly name: string
  readonly admissionNumber: string
  readonly classId: number
}

/** How often a student is a sister or brother of one before, and how often of the very same name as one. */
const siblingShare = 0.25
const namesakeShare = 0.01
/** What all admission numbers begin with: the school's code, and the century. */
export const everyNumberBegins = 'gs-20'
/** The years that follow the school's code. */
const firstYear = 14
const years = 13

/** Makes people without end: the same ones, in the same order, for the same seed. */
export function* generatePeople(seed: number): Generator<Person, never> {
  const random = seededRandom(seed)
  const kinds = peoples.map(nameMaker)
  const pickKind = picker(
    kinds,
    peoples.map(({ weight }) => weight),
  )
  const recent: Name[] = []
  for (let number = 1; ; number++) {
    const name = nextName(random, recent, () => pickKind(random)(random))
    recent[number % 1000] = name
    const year = firstYear + Math.floor(random() * years)
    yield {
      name: name.whole.normalize('NFC'),
      admissionNumber: `${everyNumberBegins}${year}-${String(number).padStart(6, '0')}`,
      classId: 1 + Math.floor(random() * 12),
    }
  }
}

/** A name, and how to name a sister or brother. */
interface Name {
  readonly whole: string
  readonly sibling: (random: Random) => Name
}

function nextName(random: Random, recent: readonly Name[], fresh: () => Name): Name {
  const chance = random()
  const known = pickEvenly(random, recent)
  if (known === undefined || chance >= siblingShare + namesakeShare) return fresh()
  return chance < namesakeShare ? known : known.sibling(random)
}

function nameMaker(people: People): (random: Random) => Name {
  const { skew, rareShare, order } = people
  const pickGiven = zipfPicker(people.given.split(' '), 0.5)
  const pickFamily = zipfPicker(people.family.split(' '), skew)
  const beginnings = people.beginnings.split(' ')
  const endings = people.endings.split(' ')
  const rareFamily = (random: Random) => {
    const isDoubled = random() < 0.3 && order !== 'familygiven'
    const single = () => pickEvenly(random, beginnings) + pickEvenly(random, endings)
    return isDoubled ? `${single()}-${single()}` : single()
  }

  function join(random: Random, family: string): string {
    const given = pickGiven(random)
    if (order === 'familygiven') return family + given
    if (order === 'family given') return `${family} ${given}`
    if (order === 'given given family') return `${given} ${pickGiven(random)} ${family}`
    return `${given} ${family}`
  }
  function named(random: Random, family: string): Name {
    return { whole: join(random, family), sibling: (random) => named(random, family) }
  }
  return (random) => named(random, random() < rareShare ? rareFamily(random) : pickFamily(random))
}
