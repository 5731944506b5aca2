import { useSignal } from '@preact/signals'
import type { FieldFault, Import } from '../../client/src/index.ts'
import { textsOf } from '../language/language.ts'
import { TextField } from '../parts/fields.tsx'
import type { ImportRecord } from './record.ts'

interface NamingTexts {
  readonly name: string
  readonly hint: string
  readonly keep: string
  readonly kept: string
  readonly taken: string
}

const naming = textsOf<NamingTexts>({
  en: {
    name: 'Keep these answers under the name',
    hint: 'The next file with the same headings takes them over. They are kept without a name, too, once the file is imported.',
    keep: 'Keep',
    kept: 'Your answers are kept.',
    taken: 'Answers for other headings have this name. Choose another.',
  },
  de: {
    name: 'Diese Antworten speichern unter dem Namen',
    hint: 'Die nächste Datei mit denselben Überschriften übernimmt sie. Auch ohne Namen werden sie gespeichert, sobald die Datei eingelesen ist.',
    keep: 'Speichern',
    kept: 'Ihre Antworten sind gespeichert.',
    taken: 'So heißen Antworten für andere Überschriften. Wählen Sie einen anderen Namen.',
  },
  ar: {
    name: 'احفظ هذه الإجابات باسم',
    hint: 'الملف التالي بالعناوين نفسها يأخذها. وتُحفظ أيضًا بلا اسم بعد استيراد الملف.',
    keep: 'حفظ',
    kept: 'حُفظت إجاباتك.',
    taken: 'هذا اسم إجابات لعناوين أخرى. اختر اسمًا آخر.',
  },
})

/** The name under which the answers are kept for files with the same headings. */
export function NamedAnswers({ record, imported }: { record: ImportRecord; imported: Import }) {
  const name = useSignal(imported.mapping?.name ?? '')
  const faults = useSignal<readonly FieldFault[]>([])

  async function keep(): Promise<void> {
    if (await record.patch({ mapping_name: name.value }, () => naming().kept)) return
    const { value: failure } = record.failure
    faults.value = (failure?.is === 'problem' && failure.problem.errors) || []
    if (faults.value.length > 0) record.failure.value = undefined // it stands at the field
  }
  const isTaken = faults.value.some(({ code }) => code === 'taken')
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void keep()
      }}
    >
      <TextField
        label={naming().name}
        hint={naming().hint}
        pointer="/mapping_name"
        value={name.value}
        onValue={(value) => (name.value = value)}
        faults={faults.value}
        said={isTaken ? naming().taken : undefined}
      />
      <div class="actions">
        <button type="submit" aria-disabled={record.isBusy.value}>
          {naming().keep}
        </button>
      </div>
    </form>
  )
}
