import type { Permission } from '../src/access/permissions.ts'
import { write } from '../src/events/write.ts'
import { byTest, type Person, type School } from './school.ts'

/** An account that holds permissions for these classes alone, or for all. */
export async function scopedPerson(
  school: School,
  permissions: readonly Permission[],
  classIds: readonly number[] | 'all',
): Promise<Person> {
  const person = await school.person()
  const now = school.now().toISOString()
  await write(school.db, byTest, async (db) => {
    const { id: role_id } = await db
      .insertInto('roles')
      .values({ name: `role of ${person.id}`, built_in: 0, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const held = permissions.map((permission) => ({ role_id, permission }))
    await db.insertInto('role_permissions').values(held).execute()
    const ofPerson = { user_id: person.id, role_id }
    const all_classes = classIds === 'all' ? 1 : 0
    await db
      .insertInto('user_roles')
      .values({ ...ofPerson, granted_at: now, all_classes })
      .execute()
    if (classIds === 'all') return
    for (const class_id of classIds)
      await db
        .insertInto('user_role_classes')
        .values({ ...ofPerson, class_id })
        .execute()
  })
  return person
}
