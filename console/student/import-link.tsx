import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getImport } from '../../client/src/index.ts'
import { call } from '../api/calls.ts'
import { may } from '../session/session.ts'

/** An import that changed a student. Whoever may see it gets the way to it, and the name of its file. */
export function ImportLink({ id, said }: { id: number; said: string }) {
  const file = useSignal<{ readonly name: string | null } | undefined>(undefined)
  useEffect(() => {
    if (!may('students.import')) return
    void call(() => getImport({ path: { id } })).then((came) => {
      if (came.is === 'done') file.value = came.data.data.file
    })
  }, [id])
  const { value: seen } = file
  if (seen === undefined) return <>{said}</>
  return (
    <>
      <a href={`#/imports/${id}`}>{said}</a>
      {seen.name !== null && (
        <>
          {' '}
          (<bdi>{seen.name}</bdi>)
        </>
      )}
    </>
  )
}
