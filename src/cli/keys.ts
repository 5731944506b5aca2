import { deleteAllSessions } from '../access/sessions.ts'
import { deleteOtherSigningKeys, insertSigningKey } from '../access/signing-keys.ts'
import { write } from '../events/write.ts'
import { type Command, CommandError } from './command.ts'
import { instantNow, onDatabase } from './database.ts'

/** `key rotate` */
export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'Sign new tokens with a new key; the old ones are good until they end',
  options: {
    'end-sessions': { describe: 'Drop the old keys and end every session at once: everyone logs in again' },
  },
  run: onDatabase(async (db, input) => {
    const endSessions = input.flags.has('end-sessions')
    if (input.config('TOKEN_SECRET').tokenSecret !== undefined) {
      throw new CommandError(
        'TOKEN_SECRET sets the key here: change it and restart the server, which ends every token.',
      )
    }
    const key = await write(db, input.by, async (db) => {
      const kid = await insertSigningKey(db, instantNow())
      if (endSessions) {
        await deleteOtherSigningKeys(db, kid)
        await deleteAllSessions(db)
      }
      return kid
    })
    const old = endSessions
      ? 'The old keys are gone, and every session is ended.'
      : 'Tokens signed before stay good until they end.'
    return { data: { key, sessions_ended: endSessions }, text: `New tokens are signed with ${key}. ${old}` }
  }),
}
