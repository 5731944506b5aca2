import { hash } from '@node-rs/argon2'
import { write } from '../src/events/write.ts'
import { updatePasswordHash } from '../src/users/queries.ts'
import { byTest, type Person, password, type School } from './school.ts'

const cheapHash = hash(password, { algorithm: 2, memoryCost: 16, timeCost: 1, parallelism: 1 })

/** For those who guess often: guesses are compared with little work, until a login makes the hash anew. */
export async function hashCheaply(school: School, { id }: Pick<Person, 'id'>): Promise<void> {
  const cheap = await cheapHash
  await write(school.db, byTest, (db) => updatePasswordHash(db, id, cheap, school.now().toISOString()))
}
