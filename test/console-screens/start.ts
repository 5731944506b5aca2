import type { Chapter, Scene } from './state.ts'

async function classes(scene: Scene, way: string): Promise<void> {
  await scene.open('/start/classes', 'classes are there')
  await scene.field(way).check()
}

/** The first steps of a school: its name, its classes, its children. */
export const starting: Chapter = {
  title: 'First steps',
  states: [
    {
      name: 'start-school',
      shows: 'What the school is called',
      school: 'fresh',
      who: 'head',
      opens: ['/start/school', 'What is your school called?'],
    },
    {
      name: 'start-classes',
      shows: 'The classes that are there',
      school: 'fresh',
      who: 'head',
      opens: ['/start/classes', 'classes are there'],
    },
    {
      name: 'start-rename',
      shows: 'Other names, one of them taken',
      school: 'fresh',
      who: 'head',
      async reach(scene) {
        await classes(scene, 'Rename them')
        await scene.field('Class 1').fill('Reception')
        await scene.field('Class 2').fill('class 3')
        await scene.save()
        await scene.seen(/Another record has this already/)
      },
    },
    {
      name: 'start-own-list',
      shows: 'A list of one’s own',
      school: 'fresh',
      who: 'head',
      async reach(scene) {
        await classes(scene, 'Use my own list')
        await scene.field('Names of all classes').fill('5A\n5B\nClass 12')
      },
    },
    {
      name: 'start-students',
      shows: 'The way to the first children',
      school: 'fresh',
      who: 'head',
      opens: ['/start/students', 'Now the children.'],
    },
  ],
}
