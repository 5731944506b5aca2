import { Fragment } from 'preact'
import type { Import } from '../../client/src/index.ts'
import { address } from '../frame/address.ts'
import style from '../look/imports.css' with { type: 'text' }
import { Later } from '../parts/later.tsx'
import { NotThere } from '../parts/not-there.tsx'
import { adopt } from '../parts/style.ts'
import { Title } from '../parts/title.tsx'
import { may, mayForAll } from '../session/session.ts'
import { FileForm } from './file.tsx'
import { PastImports } from './past.tsx'
import { texts } from './texts.ts'

adopt(style)

const oneImport = () => import('./one-import.tsx')
const loadKept = async () => ({ Screen: (await import('./kept-answers.tsx')).KeptAnswers })

/** Imports: a new file and those of before, or one of them. */
export function Screen() {
  const { id, query } = address.value
  if (id > 0) return <Later key={id} load={oneImport} />
  const kind = query.get('kind') === 'classes' ? 'classes' : 'students'
  if (!mayImport(kind)) return <NotThere />
  return (
    <Fragment key={kind}>
      <div class="heading">
        <Title screen={texts().title}>{kind === 'classes' ? texts().titleClasses : texts().title}</Title>
      </div>
      <FileForm kind={kind} />
      <PastImports kind={kind} />
      {mayForAll('students.import') && <Later key="kept" load={loadKept} />}
    </Fragment>
  )
}

/** Whether the account may send files of a kind. */
const mayImport = (kind: Import['kind']) =>
  kind === 'classes' ? mayForAll('classes.manage') : may('students.import')
