import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Importer } from '../../test/import-calls.ts'
import { openSchool, type Person, type School } from '../../test/school.ts'

/** Files as school programs export them, with names made up, and what they say of their children. */
const files: Readonly<Record<string, readonly [text: string, ...students: (readonly string[])[]]>> = {
  'ONDE, French primary schools': [
    `Nom élève;Nom d'usage élève;Prénom élève;Date naissance;Sexe;INE;Adresse1;Cp1;Commune1;Adresse2;Cp2;Commune2; Cycle;Niveau;Libellé classe;Identifiant classe
MARTEL;;Léo;21/01/2016;M;1111111111A;1 rue de Test;21000;Dijon;;;;CYCLE II;CE2;Classe de M Machin;99999
DUROC;FABRE;Zoé;03/02/2017;F;1111111112A;12 bis rue Haute;21000;Dijon;5 allée B;69001;Lyon;CYCLE II;CE1;Classe de M Truc;99998`,
    ['Léo MARTEL', 'Classe de M Machin', '2016-01-21', '1 rue de Test, 21000 Dijon', ''],
    ['Zoé DUROC', 'Classe de M Truc', '2017-02-03', '12 bis rue Haute, 21000 Dijon', ''],
  ],
  'SchILD, North Rhine-Westphalia': [
    `Nachname|Vorname|Geburtsdatum|Geschlecht|Status|PLZ|Ort|Straße|Aussiedler|Jahr|Abschnitt|Jahrgang|Klasse
Mustermann|Maxi|09.03.2012|M|2|42111|Wuppertal|Fridolinweg 5|N|2025|1|07|07A
Probe|Uwe|24.12.2013|M|2|42113|Wuppertal|Am Bach 7|N|2025|1|06|06A`,
    ['Maxi Mustermann', '07A', '2012-03-09', '42111 Wuppertal, Fridolinweg 5', ''],
    ['Uwe Probe', '06A', '2013-12-24', '42113 Wuppertal, Am Bach 7', ''],
  ],
  WebUntis: [
    `name\tlongName\tforeName\tgender\tbirthDate\tklasse.name\tentryDate\texternKey\taddress.city\taddress.postCode\taddress.street
LinderMax1\tLinder\tMax\tm\t01.02.2010\t8a\t12.09.2023\t20231\tAugsburg\t86150\tBeispielweg 99
HolzeErika\tHolzer\tErika\tf\t24.12.2010\t8b\t12.09.2023\t20232\tAugsburg\t86150\tBeispielweg 98`,
    ['Max Linder', '8a', '2010-02-01', 'Augsburg, 86150, Beispielweg 99', ''],
    ['Erika Holzer', '8b', '2010-12-24', 'Augsburg, 86150, Beispielweg 98', ''],
  ],
  'DaNiS, Lower Saxony': [
    `SchuelerNachname;SchuelerRufname;SchuelerGeburtsdatum;SchuelerGeburtsort;SchuelerGeschlecht;GruppeBezeichnung;GruppeId;SchuelerId
Öhler;Jörg;01.02.2014;Celle;männlich;5a;101;20001
Özdemir;Elif;24.12.2014;Uelzen;weiblich;5b;102;20002`,
    ['Jörg Öhler', '5a', '2014-02-01', '', ''],
    ['Elif Özdemir', '5b', '2014-12-24', '', ''],
  ],
  'Séneca, Andalusia': [
    `Nº Id. Escolar;Dirección;Código postal;Localidad de residencia;Fecha de nacimiento;Teléfono;Curso;Nº Expte en el centro;Unidad;Primer apellido;Segundo apellido;Nombre;Primer apellido Primer tutor;Segundo apellido Primer tutor;Nombre Primer tutor;Teléfono Primer tutor;Primer apellido Segundo tutor;Nombre Segundo tutor
9990001;Calle 1;41001;Sevilla;14/03/2014;600000001;1º de E.S.O.;1201;1º ESO C;Gil;Mora;Lucía;Mora;Ruiz;Rosa;600000002;Gil;Luis
9990002;Calle 2;41002;Sevilla;25/06/2010;600000004;4º de E.S.O.;1202;4º ESO A;Sanz;Vega;Pablo;Vega;Rey;Ana;600000005;;`,
    [
      'Lucía Gil Mora',
      '1º ESO C',
      '2014-03-14',
      'Calle 1, 41001 Sevilla',
      'Rosa Mora Ruiz 600000002, Luis Gil',
    ],
    ['Pablo Sanz Vega', '4º ESO A', '2010-06-25', 'Calle 2, 41002 Sevilla', 'Ana Vega Rey 600000005'],
  ],
  'SIGE, Chile': [
    `Año;RBD;Cod Grado;Desc Grado;Letra Curso;Run;Dígito Ver.;Genero;Nombres;Apellido Paterno;Apellido Materno;Dirección;Comuna Residencia;Fecha Nacimiento
2026;12345;1;1° básico;A;23456789;1;M;Juan Andrés;Pérez;García;Calle 1;Talca;14-05-2018
2026;12345;2;2° básico;A;23456790;K;F;María;González;López;Calle 2;Talca;03-11-2017`,
    ['Juan Andrés Pérez García', '1° básico A', '2018-05-14', 'Calle 1, Talca', ''],
    ['María González López', '2° básico A', '2017-11-03', 'Calle 2, Talca', ''],
  ],
  PowerSchool: [
    `Student_Number\tFirst_Name\tMiddle_Name\tLast_Name\tGrade_Level\tHome_Room\tDOB\tStreet\tCity\tState\tZip\tMother_First\tMother\tFather_First\tFather
100234\tJane\tMarie\tDoe\t7\t7-104\t8/15/2013\t12 Main St\tAustin\tTX\t78701\tAnn\tDoe\tBob\tDoe
100235\tBen\t\tSmith\t8\t8-201\t3/22/2012\t45 Elm St\tAustin\tTX\t78704\tEve\tLee\tTom\tSmith`,
    ['Jane Doe', '7-104', '2013-08-15', '12 Main St, Austin, TX, 78701', 'Ann Doe, Bob Doe'],
    ['Ben Smith', '8-201', '2012-03-22', '45 Elm St, Austin, TX, 78704', 'Eve Lee, Tom Smith'],
  ],
  'SIMS, England': [
    `Adno,Legal Surname,Legal Forename,Preferred Forename,Year,Reg,DOB,UPN,Parental Salutation,Contact 1 Forename,Contact 1 Surname,Contact 1 Mobile
003412,Hill,Samuel,Sam,Year  7,7B,09/03/2014,A860407000001B,Mr & Mrs Hill,Jane,Hill,07700 900123
003413,Reed,Ann,Annie,Year  9,9A,21/05/2013,A860407000002B,Mr Reed,Al,Reed,07700 900124`,
    ['Samuel Hill', '7B', '2014-03-09', '', 'Jane Hill 07700 900123'],
    ['Ann Reed', '9A', '2013-05-21', '', 'Al Reed 07700 900124'],
  ],
  'Noor, Saudi Arabia': [
    `م,رقم الطالب,اسم الطالب,رقم الصف,الفصل,الجوال
1,1101234567,أحمد محمد الحربي,0725,1,966551234567
2,1101234568,خالد سعد العتيبي,0825,1,966551234568`,
    ['أحمد محمد الحربي', '0725 1', '', '', 'Guardian 966551234567'],
    ['خالد سعد العتيبي', '0825 1', '', '', 'Guardian 966551234568'],
  ],
  'Massar, Morocco': [
    `رقم مسار;الاسم والنسب;المستوى الدراسي;تاريخ الازدياد
R130012345;ياسمين العلوي;الأولى إعدادي;03-05-2012
G130054321;عمر بنيس;الثانية إعدادي;13-06-2011`,
    ['ياسمين العلوي', 'الأولى إعدادي', '2012-05-03', '', ''],
    ['عمر بنيس', 'الثانية إعدادي', '2011-06-13', '', ''],
  ],
}

describe('a file of a school program, where all that is proposed is taken', () => {
  let school: School
  let registrar: Person
  let importer: Importer
  before(async () => {
    school = await openSchool()
    registrar = await school.person('administrator')
    importer = new Importer(school, registrar)
  })

  async function student(name: string): Promise<readonly string[]> {
    const columns = 'name,class,date_of_birth,address,guardians'
    const path = `/api/students?search=${encodeURIComponent(name)}&columns=${columns}`
    const { body } = await school.get(path, registrar)
    const [one] = body.data
    const guardians = (one?.guardians ?? []).map(({ name, phone }: { name: string; phone?: string }) =>
      [name, phone].filter((text) => text).join(' '),
    )
    return [one?.name, one?.class, one?.date_of_birth ?? '', one?.address ?? '', guardians.join(', ')]
  }

  for (const [program, [text, ...students]] of Object.entries(files))
    it(`gives the children as it has them: ${program}`, async () => {
      const applied = await importer.applied(await importer.asProposed(`${text}\n`))
      assert.equal(applied.counts.create, students.length)
      for (const one of students) assert.deepEqual(await student(one[0]!), one)
    })
})
