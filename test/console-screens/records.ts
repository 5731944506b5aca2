import type { Chapter, Scene } from './state.ts'

const record = ['/students/1', 'History'] as const

async function edit(scene: Scene, section: string): Promise<void> {
  await scene.open(...record)
  await scene.button(`Edit: ${section}`).click()
  await scene.button('Save').waitFor()
}

/** One student. */
export const student: Chapter = {
  title: 'Student',
  states: [
    { name: 'student', shows: 'A student', who: 'office', opens: record },
    {
      name: 'student-viewer',
      shows: 'A student as a teacher sees it',
      who: 'teacher',
      opens: record,
    },
    {
      name: 'student-child',
      shows: 'The first section as a form',
      who: 'office',
      reach: (scene) => edit(scene, 'Child'),
    },
    {
      name: 'student-guardians',
      shows: 'The guardians as a form',
      who: 'office',
      reach: (scene) => edit(scene, 'Guardians'),
    },
    {
      name: 'student-own',
      shows: 'The school’s own fields as a form',
      who: 'office',
      reach: (scene) => edit(scene, 'School’s own fields'),
    },
    {
      name: 'student-faults',
      shows: 'What is wrong with a form: a summary leads to the fields',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Born').fill('31/2/2014')
        await scene.field('E-mail').fill('not an address')
        await scene.save()
        await scene.seen(/fields? needs? a look/)
      },
    },
    {
      name: 'student-saved',
      shows: 'Saved, and what undoes it',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Called').fill('Zo')
        await scene.save()
        await scene.button('Edit: Child').waitFor()
        await scene.seen('Saved.')
      },
    },
    {
      name: 'student-conflict',
      shows: 'Somebody else changed the same child: before, theirs and yours',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Called').fill('Mine')
        await scene.field('Gender').fill('x')
        await scene.change('/api/students/1', { preferred_name: 'Theirs', gender: 'w' })
        await scene.save()
        await scene.seen('Somebody else changed this')
      },
    },
    {
      name: 'student-apart',
      shows: 'Somebody else changed other fields of the same child',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Called').fill('Mine')
        await scene.change('/api/students/1', { gender: 'w' })
        await scene.save()
        await scene.seen('did not touch the same fields')
      },
    },
    {
      name: 'student-changed-elsewhere',
      shows: 'Back in the tab: somebody else changed what is shown',
      who: 'office',
      opens: record,
      async reach(scene) {
        await scene.change('/api/students/1', { preferred_name: 'Theirs' })
        await scene.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await scene.button('Show').waitFor()
      },
    },
    {
      name: 'student-shared',
      shows: 'The same change, offered for a brother',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Guardians')
        await scene.field('Phone').fill('0171 555 9999')
        await scene.save()
        await scene.seen('Other children have this guardian')
      },
    },
    {
      name: 'student-move-class',
      shows: 'Another class',
      who: 'office',
      opens: record,
      async reach(scene) {
        await scene.button('Move class').click()
        await scene.page.getByRole('combobox', { name: 'To class' }).fill('class 1')
        await scene.page.locator('[role=option]').first().waitFor()
      },
    },
    {
      name: 'student-waits',
      shows: 'A save that waits for the connection',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Called').fill('Zo')
        await scene.page.context().setOffline(true)
        await scene.save()
        await scene.button('Waits for the connection').waitFor()
        await scene.seen(/^No connection/)
      },
    },
    {
      name: 'student-failed',
      shows: 'A save that failed',
      who: 'office',
      async reach(scene) {
        await edit(scene, 'Child')
        await scene.field('Called').fill('Zo')
        await scene.fail('**/api/students/1', 'internal_error', 500)
        await scene.button('Save').click()
        await scene.seen('Request r-17')
      },
    },
    {
      name: 'not-there',
      shows: 'Not there, or not allowed: one sentence for both',
      who: 'teacher',
      opens: ['/students/3', 'This is not there'],
    },
    {
      name: 'student-long',
      shows: 'A long name, ten guardians, forty own fields',
      school: 'long',
      who: 'head',
      opens: record,
    },
    {
      name: 'student-long-guardians',
      shows: 'Ten guardians as a form',
      school: 'long',
      who: 'head',
      reach: (scene) => edit(scene, 'Guardians'),
    },
    {
      name: 'student-long-own',
      shows: 'Forty own fields as a form',
      school: 'long',
      who: 'head',
      reach: (scene) => edit(scene, 'School’s own fields'),
    },
  ],
}

const form = ['/students/new', 'Save, and enter the next'] as const

async function fillName(scene: Scene, given: string, family: string): Promise<void> {
  await scene.field('Given name').fill(given)
  await scene.field('Family name').fill(family)
}

/** Entering children. */
export const newStudent: Chapter = {
  title: 'New student',
  states: [
    { name: 'new-student', shows: 'A new student', who: 'office', opens: form },
    {
      name: 'new-student-whole',
      shows: 'Its name as one text',
      who: 'office',
      opens: form,
      reach: (scene) => scene.button('One field for the whole name').click(),
    },
    {
      name: 'new-student-next',
      shows: 'One is entered, and the next can be',
      who: 'office',
      opens: form,
      async reach(scene) {
        await fillName(scene, 'Nele', 'Braun')
        await scene.field('Born').fill('1/9/2019')
        await scene.field('Class').fill('Class 1')
        await scene.save()
        await scene.seen(/Nele Braun.* is entered/)
      },
    },
    {
      name: 'new-student-faults',
      shows: 'What is wrong with it',
      who: 'office',
      opens: form,
      async reach(scene) {
        await scene.field('Born').fill('1/9/2199')
        await scene.save()
        await scene.seen(/fields? needs? a look/)
      },
    },
    {
      name: 'new-student-taken',
      shows: 'A number that another child has',
      who: 'office',
      opens: form,
      async reach(scene) {
        await fillName(scene, 'Nele', 'Braun')
        await scene.field('Number').fill('2026-0001')
        await scene.field('Class').fill('Class 1')
        await scene.save()
        await scene.seen(/The number is that of/)
      },
    },
    {
      name: 'new-student-double',
      shows: 'A child who may be there already',
      who: 'office',
      opens: form,
      async reach(scene) {
        await fillName(scene, 'Zoë', 'Müller')
        await scene.field('Born').fill('9/3/2014')
        await scene.field('Class').fill('Class 1')
        await scene.save()
        await scene.seen('A student like this is there already.')
      },
    },
    {
      name: 'new-student-guardians',
      shows: 'Guardians as for a brother or a sister',
      who: 'office',
      opens: form,
      async reach(scene) {
        await scene.button('Guardians as for …').click()
        await scene.page.keyboard.type('zoe')
        await scene.page.locator('[role=option]').first().waitFor()
      },
    },
    {
      name: 'student-offered',
      shows: 'That child, and what was typed for it',
      who: 'office',
      opens: form,
      async reach(scene) {
        await fillName(scene, 'Zoë', 'Müller')
        await scene.field('Born').fill('9/3/2014')
        await scene.field('Class').fill('Class 1')
        await scene.page.locator('#field-guardians-0-name').fill('Eva Müller')
        await scene.save()
        await scene.button('This child: open').click()
        await scene.seen('What you typed for the new student')
      },
    },
  ],
}
