// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rulesOf } from '../../../test/reading-rules.ts'
import { mapColumns } from './column-mapping.ts'

/** What is taken or proposed for each column of a header; -: it is proposed to be left out. */
function proposedFor(header: string): string {
  const { mapped } = mapColumns(rulesOf(header.split(' | ')))
  const taken = new Set(mapped.map(({ column }) => column).filter((name) => name !== 'address'))
  return mapped
    .map(({ column, candidates }) => column ?? candidates.find((name) => !taken.has(name)) ?? '-')
    .join(' | ')
}

function shows(files: readonly (readonly [header: string, expected: string])[]): void {
  for (const [header, expected] of files) assert.equal(proposedFor(header), expected, header)
}

describe('the headings of school programs', () => {
  it('are not proposed to be what only looks like them', () => {
    shows([
      ['الاسم الأول | الجنسية', 'given_name | -'], // a nationality is no family name
      ['Apellido | Klase | Geburtsdatun', 'family_name | class | date_of_birth'],
    ])
  })

  it('tell the class from the year', () => {
    shows([
      ['Year Group | Registration form', '- | class'],
      ['Grade | Main Class', '- | class'],
      ['Curso | Unidad', '- | class'],
      ['Name | Class-Section', 'name | class'],
      ['lastname | firstname | cohort1', 'family_name | given_name | class'],
    ])
  })

  it('may say that they are of the student', () => {
    shows([
      // LUSD of Hesse, DaNiS of Lower Saxony, ONDE of French primary schools
      [
        'Schueler_Nachname | Schueler_Vorname | Schueler_Geburtsdatum | Klassen_Klassenbezeichnung',
        'family_name | given_name | date_of_birth | class',
      ],
      [
        'SchuelerNachname | SchuelerRufname | SchuelerGeschlecht | GruppeBezeichnung | SchuelerId',
        'family_name | given_name | gender | class | admission_number',
      ],
      [
        "Nom élève | Nom d'usage élève | Prénom élève | Date naissance",
        'family_name | - | given_name | date_of_birth',
      ],
      ["Nom | Nom d'usage | Prénom", 'family_name | - | given_name'],
      ["Date de naissance de l'élève | Adresse de l'élève | Élève classe", 'date_of_birth | address | class'],
      ['Nombre del alumno | Apellidos alumno/a', 'given_name | family_name'],
      ['Name Schüler/in | Klasse Kind', 'name | class'],
      ['Student_street | Student_zip | Student Mobile', 'address | address | -'], // of no guardian
      ['Student House | Kind of school', '- | -'],
    ])
  })

  it('call a login a name in files of WebUntis', () => {
    shows([['name | longName | foreName | klasse.name', '- | family_name | given_name | class']])
  })

  it('have one address in several columns, and not two addresses', () => {
    shows([
      ['Adresse1 | Cp1 | Commune1 | Adresse2 | Cp2 | Commune2', 'address | address | address | - | - | -'],
      ['Address 1 | Address 2 | City | State | Pin Code', 'address | address | address | address | address'],
      ['Address Line 1 | Address Line 2 | Town', 'address | address | address'],
      ['Dirección | Código postal | Localidad de residencia', 'address | address | address'],
      ['Phone 1 | Phone 2 | Grade 1', 'guardian_1_phone | - | -'],
    ])
  })

  it('speak of guardians by numbers and halves', () => {
    shows([
      [
        'Mother_First | Mother | Father_First | Father_Last',
        'guardian_1_name | guardian_1_name | guardian_2_name | guardian_2_name',
      ],
      ['Fathers name | Mothers phone | MotherEmail', 'guardian_1_name | guardian_2_phone | guardian_2_email'],
      [
        'Parent1 Name | parent1_email | Guardian2Phone',
        'guardian_1_name | guardian_1_email | guardian_2_phone',
      ],
      ['Nom RL1 | Prénom RL1 | Mail RL2', 'guardian_1_name | guardian_1_name | guardian_2_email'],
      [
        'Nombre Primer tutor | Teléfono Primer tutor | Correo electrónico Segundo tutor',
        'guardian_1_name | guardian_1_phone | guardian_2_email',
      ],
      ['Nombre tutor 1 | Teléfono tutor 2 | Tutor', 'guardian_1_name | guardian_2_phone | -'],
      [
        'Contact 1 Forename | Contact 1 Surname | Contact 1 Mobile | Contact 1 Relationship',
        'guardian_1_name | guardian_1_name | guardian_1_phone | guardian_1_relation',
      ],
      ['Primary guardian | Primary guardian email', 'guardian_1_name | guardian_1_email'],
      ['Erzieher 1: Vorname | Erzieher 1: Nachname', 'guardian_1_name | guardian_1_name'],
      ['Contact phone | Contact email', 'guardian_1_phone | guardian_1_email'],
    ])
  })

  it('are written in more ways', () => {
    shows([
      ['Nº de matrícula', 'admission_number'],
      ['N° de matrícula', 'admission_number'],
      ['Nro. de legajo', 'admission_number'],
      ['Nº Expte | Apellidos, Nombre | Curso y grupo', 'admission_number | name | class'],
      ['N° Mat. | Nom complet', 'admission_number | name'],
      ['Schuelernummer | Name, Vorname | Klassenbez.', 'admission_number | name | class'],
      ['رقم مسار | الاسم والنسب | القسم', 'admission_number | name | class'],
      ['Adno | Surname, Forename | Home group', 'admission_number | name | class'],
      ['LRN | Other names | Last name', 'admission_number | given_name | family_name'],
      [
        'Student No | NOMBRE1 | NOMBRE2 | APELLIDO1',
        'admission_number | given_name | given_name | family_name',
      ],
      ['Mutter Tel. privat', 'guardian_1_phone'],
      ['Erz. 2 Nachname | Erz. 2 Vorname', 'guardian_2_name | guardian_2_name'],
      ['تليفون ولي الأمر | Year/Class', 'guardian_1_phone | class'],
    ])
  })

  it('take a middle name for no name that a child is called by', () => {
    shows([['First_name | Middle_name | Last_name', 'given_name | - | family_name']])
  })
})
