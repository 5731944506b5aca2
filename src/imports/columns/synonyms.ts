import type { DetailName } from '../../students/details.ts'

/* What school software and offices call the columns, by language. Own fields are known by their labels besides. */

export const languages = ['English', 'German', 'French', 'Spanish', 'Arabic'] as const

type Language = (typeof languages)[number]

/** Headings with commas between, by language. */
export type Words = Readonly<Partial<Record<Language, string>>>

/** Headings that mean one column, whatever stands beside them. */
export const synonyms: Readonly<Record<string, Words> & Record<DetailName, Words>> = {
  name: {
    English:
      'Full name, Student name, Pupil name, Learner name, Child name, Name of student, Name of pupil, Name of child, Student full name, Student, Pupil, Learner, Legal name, Last name First name, Surname Forename, Surname and forename, Name Last First',
    German:
      'Vollständiger Name, Schülername, Name des Schülers, Name der Schülerin, Name des Kindes, Kind, Schüler, Schüler/in, Schülerin, Vor- und Nachname, Nachname Vorname, Name Vorname, Nachname und Vorname',
    French:
      "Nom complet, Nom et prénom, Nom et prénoms, Nom prénom, Prénom et nom, Élève, Nom complet de l'élève",
    Spanish:
      'Nombre completo, Nombre y apellidos, Nombres y apellidos, Nombre y apellido, Apellidos Nombre, Apellido y nombre, Apellido y nombres, Apellidos y nombre, Apellidos y nombres, Alumno, Alumna, Alumno/a, Estudiante',
    Arabic:
      'الاسم الكامل, الاسم الثلاثي, الاسم الرباعي, اسم الطالب, اسم الطالبة, اسم التلميذ, اسم التلميذة, الطالب, الاسم رباعي, اسم الطالب رباعي, الاسم والنسب, الاسم و النسب, الاسم واللقب, اللقب والاسم',
  },
  given_name: {
    English:
      'First name, Firstname, Given names, Forename, Fore name, Forenames, Legal first name, Legal forename, Student first name, Pupil first name, Christian name',
    German:
      'Vorname, Vornamen, Vorname(n), Vorname des Schülers, Alle Vornamen, Vorname Kind, Schüler Vorname',
    French: "Prénom, Prénoms, Prénom(s), Prénom de l'élève, Prénom élève",
    Spanish: 'Nombres, Nombre de pila, Nombre(s)',
    Arabic: 'الاسم الأول, الاسم الشخصي',
  },
  family_name: {
    English:
      'Last name, Lastname, Long name, Surname, Legal surname, Legal last name, Student last name, Student surname, Pupil surname',
    German: 'Nachname, Familienname, Zuname, Nachname des Schülers, Nachname Kind, Schüler Nachname',
    French: "Nom de famille, Nom de famille de l'élève",
    Spanish: 'Apellido, Apellidos, Apellido(s), Apellidos del alumno',
    Arabic: 'اسم العائلة, العائلة, اللقب, النسب, الاسم العائلي, الكنية',
  },
  preferred_name: {
    English:
      'Preferred first name, Preferred forename, Usual first name, Usual forename, Chosen forename, Known as forename, Known as, Nickname, Chosen name',
    German: 'Rufname, Spitzname, Genannt',
    French: "Prénom usuel, Prénom d'usage, Surnom",
    Spanish: 'Nombre preferido, Nombre social, Apodo',
    Arabic: 'الاسم المفضل',
  },
  former_names: {
    English:
      'Former name, Previous name, Previous names, Former surname, Previous surname, Maiden name, Birth name',
    German: 'Geburtsname, Früherer Name, Frühere Namen, Mädchenname',
    French: 'Nom de naissance, Nom de jeune fille, Ancien nom, Anciens noms',
    Spanish: 'Nombre anterior, Nombres anteriores, Apellido de soltera',
    Arabic: 'الاسم السابق, الأسماء السابقة',
  },
  admission_number: {
    English:
      'Admission No, Admission Nr, Admission #, Adm No, Adm Nr, Adm Number, Adm #, Admn No, Admno, Adno, Pupil admission number, Student number, Student No, Student ID, Student code, Pupil number, Pupil No, Pupil ID, Learner number, Register number, Registration number, Registration No, Enrolment number, Enrolment No, Enrollment number, Enrollment No, Matriculation number',
    German:
      'Schülernummer, Schüler-Nr., Schülernr, Schüler-ID, Schuelernummer, Schülerkennzahl, Stammnummer, Matrikelnummer, Matrikelnr, Aufnahmenummer, Anmeldenummer',
    French:
      "Numéro d'admission, N° d'admission, Numéro d'élève, Numéro élève, N° élève, Matricule, Numéro de matricule, N° matricule, N° mat., Numéro d'inscription, N° d'inscription",
    Spanish:
      'Número de admisión, N.º de admisión, Número de matrícula, N.º de matrícula, N.º matrícula, Matrícula, Número de alumno, N.º de alumno, Número de estudiante, Código de estudiante, Código de alumno, Número de expediente, N.º expediente, N.º expte, N.º expte en el centro, N.º de legajo, Expediente, Legajo, Número de legajo',
    Arabic:
      'رقم القبول, رقم القيد, رقم التسجيل, رقم الطالب, رقم الطالبة, رقم التلميذ, الرقم المدرسي, الرقم الأكاديمي',
  },
  class: {
    English:
      'Class name, Class label, Current class, Student class, Form, Form class, Form group, Tutor group, Registration group, Registration form, Reg group, Reg form, Home group, Roll group, Roll class, Main class, Year/Class, Class section, Class and section, Homeroom, Home room',
    German:
      'Klasse, Kl., Klassenname, Klassenbezeichnung, Stammklasse, Klassenbez., Stammgruppe, Lerngruppe, Aktuelle Klasse, Klasse Name, Klassen Klassenbezeichnung',
    French: 'Classe, Division, Libellé classe, Nom de la classe, Classe de rattachement, Classe actuelle',
    Spanish: 'Clase, Grupo, Unidad, Curso y grupo, Curso y división, Grado y sección, Grado y grupo, Aula',
    Arabic: 'الصف, الفصل, القسم, الصف الدراسي, الصف والشعبة, الصف والفصل',
  },
  date_of_birth: {
    English: 'Birth date, Birthdate, DOB, D.O.B., Birthday, Born, Born on, Date birth, Student DOB',
    German:
      'Geburtsdatum, Geb.-Datum, Geb.datum, Geb.dat., Gebdatum, Geburtstag, geb. am, Geboren am, Geboren, Geb.',
    French: 'Date de naissance, Date naissance, Date naiss., Date nais., Né le, Née le, Né(e) le, Naissance',
    Spanish:
      'Fecha de nacimiento, Fecha nacimiento, F. de nacimiento, F. nacimiento, Fecha nac., Fecha de nac., Fec. nac., F. nac., Nacimiento',
    Arabic: 'تاريخ الميلاد, تاريخ الولادة, تاريخ الازدياد, تاريخ ميلاد الطالب',
  },
  gender: {
    English: 'Sex, Legal sex, Gender/Sex, Sex/Gender, m/f, f/m',
    German: 'Geschlecht, Geschl., m/w/d, w/m/d, m/w, w/m',
    French: 'Sexe, Genre',
    Spanish: 'Sexo, Género',
    Arabic: 'الجنس, النوع',
  },
  email: {
    English:
      'E-mail, Email address, E-mail address, Student email, Student e-mail, Pupil email, School email',
    German: 'E-Mail-Adresse, Mail-Adresse, Mailadresse, Schüler-E-Mail, E-Mail Schüler',
    French:
      "Courriel, Adresse e-mail, Adresse mail, Adresse électronique, Courrier électronique, Mél, E-mail de l'élève",
    Spanish: 'Correo, Correo electrónico, E-mail del alumno, Correo del alumno',
    Arabic: 'البريد الإلكتروني, الإيميل',
  },
  address: {
    English: 'Home address, Postal address, Full address, Residential address, Address block',
    German: 'Adresse, Anschrift, Wohnadresse, Wohnanschrift',
    French: 'Adresse postale, Adresse complète, Domicile',
    Spanish: 'Dirección, Domicilio, Dirección postal',
    Arabic: 'العنوان, عنوان السكن, عنوان المنزل',
  },
  notes: {
    English: 'Remark, Remarks, Comment, Comments',
    German: 'Bemerkung, Bemerkungen, Notiz, Notizen, Anmerkung, Anmerkungen, Kommentar',
    French: 'Remarque, Remarques, Commentaire, Commentaires',
    Spanish: 'Observaciones, Comentario, Comentarios',
    Arabic: 'ملاحظات, الملاحظات, ملاحظة',
  },
  'identifiers.UPN': { English: 'UPN, Unique pupil number' },
  'identifiers.ULN': { English: 'ULN, Unique learner number' },
  'identifiers.INE': { French: 'INE, N° INE, Numéro INE, Identifiant national élève' },
}

/** The same for files of classes. */
export const classSynonyms: Readonly<Record<string, Words>> = {
  label: {
    English: 'Class, Name, Class name, Class label, Form, Form group, Tutor group, Homeroom',
    German: 'Klasse, Klassenname, Klassenbezeichnung, Bezeichnung',
    French: 'Classe, Nom, Libellé, Division, Nom de la classe',
    Spanish: 'Clase, Grupo, Nombre, Nombre de la clase',
    Arabic: 'الصف, الفصل, القسم, الاسم, اسم الصف',
  },
}

/** What stands before the number of a class, or behind it: `Klasse 1a`, `1. Klasse`, `الصف 1`. */
export const classWords: Words = {
  English: 'Class, Grade, Year, Form',
  German: 'Klasse, Kl.',
  French: 'Classe, Cl.',
  Spanish: 'Clase, Curso, Grado',
  Arabic: 'الصف, صف, الفصل, فصل',
}

/** Headings of the year in which a class is: it may be the class, or half of it. */
export const levels: Words = {
  English: 'Grade, Grade level, Year, Year group, Year level, NC year',
  German: 'Stufe, Klassenstufe, Jahrgang, Jahrgangsstufe',
  French: 'Niveau',
  Spanish: 'Curso, Grado, Nivel, Desc grado',
  Arabic: 'المرحلة, المستوى, المستوى الدراسي, رقم الصف',
}

/** Headings of what parts the classes of a year: the other half. `Division` is the class in France, `الفصل` in Egypt. */
export const sections: Words = {
  English: 'Section, Stream, Division',
  German: 'Zug',
  Spanish: 'Sección, División, Letra, Letra curso, Paralelo',
  Arabic: 'الشعبة, الفصل',
}

/** Headings whose meaning is asked, each with the columns that it may be, the likeliest first. */
export const unsure: readonly (readonly [columns: readonly string[], headings: Words])[] = [
  [
    ['admission_number'],
    {
      English:
        'ID, No, Nr, Number, #, Roll number, Roll No, Code, LRN, Learner reference number, External ID, External code, External key, Extern key, Local ID, SIS ID, Reg No, Index number',
      German: 'Nummer, Lfd. Nr., Kennung, Externe ID',
      French:
        'Numéro, N°, Identifiant, Code identifiant, Code élève, Code Massar, Numéro interne, N° interne, N° dossier',
      Spanish: 'Número, N.º, Código, N.º Id. escolar',
      Arabic:
        'رقم, الرقم, الرقم الوطني, رقم الهوية, الرقم القومي, السجل المدني, رقم مسار, رمز مسار, رقم التعريف, رقم التعريف المدرسي',
    },
  ],
  [['class'], levels],
  [['class'], sections],
  [
    ['class'],
    {
      English: 'Class ID, Group, Reg, Cohort1',
      German: 'Gruppe, Gruppenbezeichnung, Gruppe Bezeichnung, Kurs',
      French: 'Groupe',
    },
  ],
  [
    ['address'],
    {
      English:
        'Street, Street address, Address line 1, Address line 2, Address line 3, Address street, Mailing street, House number, House no, Postcode, Post code, Postal code, Address post code, ZIP, ZIP code, Zip postal code, Mailing zip, Pincode, Pin code, Eircode, City, Address city, Mailing city, Town, Suburb, Place, Village, Barangay, Municipality, County, State, Mailing state, Province',
      German:
        'Straße, Straße und Hausnummer, Straße Hausnummer, Straße Nr., Hausnummer, Hausnr., PLZ, Postleitzahl, PLZ Ort, PLZ und Ort, Ort, Ortsteil, Wohnort, Stadt',
      French:
        "Rue, Complément d'adresse, Code postal, CP, Ville, Commune, Commune de résidence, Localité, Pays de résidence",
      Spanish:
        'Calle, Código postal, C.P., Ciudad, Localidad, Localidad de residencia, Población, Municipio, Municipio de residencia, Comuna, Comuna residencia, Provincia, Provincia de residencia, Distrito, Colonia',
      Arabic: 'الشارع, الرمز البريدي, المدينة, الحي',
    },
  ],
  [
    ['guardian_1_phone'],
    {
      English:
        'Phone, Telephone, Tel, Mobile, Cell, Home phone, Contact number, Emergency phone, Emergency contact number, Contact phone',
      German:
        'Telefon, Telefonnummer, TelefonNr, Tel, Handy, Mobil, Notfallnummer, Telefon Eltern, Telefon der Eltern, Telefon privat',
      French:
        'Téléphone, Tél, Portable, Tél portable, Tél domicile, Téléphone portable, Téléphone domicile, Téléphone fixe, Numéro de téléphone, Téléphone parents, Téléphone des parents',
      Spanish: 'Teléfono, Móvil, Celular, Teléfono padres, Teléfono de los padres, Teléfono de contacto',
      Arabic: 'الهاتف, رقم الهاتف, الجوال, رقم الجوال',
    },
  ],
  [
    ['guardian_1_email'],
    {
      English: 'Parents email, Email of parents, Contact email',
      German: 'E-Mail Eltern, E-Mail der Eltern, Eltern-E-Mail, Mail Eltern',
      French: 'Courriel parents, Courriel des parents, Mail parents, Mail des parents',
      Spanish: 'Correo padres, Correo de los padres',
    },
  ],
  [
    ['guardian_1_name'],
    {
      English: 'Emergency contact, Contact, Contact name, Parents, Guardians',
      German: 'Eltern, Ansprechpartner, Notfallkontakt',
      French: 'Parents, Contact, Responsables',
      Spanish: 'Padres, Contacto, Tutor, Tutora',
      Arabic: 'الوالدان',
    },
  ],
  [
    ['family_name'],
    {
      Spanish:
        'Primer apellido, Segundo apellido, Apellido 1, Apellido 2, Apellido paterno, Apellido materno',
      English: 'Second name',
      French: "Nom d'usage",
    },
  ],
  [
    ['given_name'],
    {
      English: 'Middle name, Middle names, Other names',
      Spanish: 'Primer nombre, Segundo nombre, Nombre 1, Nombre 2',
    },
  ],
  [['guardian_1_relation'], { English: 'Contact relationship' }],
  [['email'], { English: 'Account e-mail, Primary email, Personal email' }],
  // The marks of a school: in German and French `Note`, in Spanish `Nota`.
  [['notes'], { Spanish: 'Notas, Nota', English: 'Note, Additional information, Description, Medical' }],
]

/** A heading that can mean the whole name, or a part of it where the other part stands beside it. */
export interface NameHeading {
  readonly words: string
  /** The part that it is beside the other one. */
  readonly part: 'given_name' | 'family_name'
  /** Whether it certainly is that part there; else it is asked. */
  readonly isSureBeside: boolean
  /** Whether it certainly is the whole name where the other part is not there. */
  readonly isSureAlone: boolean
}

export const nameHeadings: readonly NameHeading[] = [
  { words: 'Name', part: 'family_name', isSureBeside: false, isSureAlone: true },
  { words: 'Nom', part: 'family_name', isSureBeside: true, isSureAlone: false },
  { words: 'Nombre', part: 'given_name', isSureBeside: true, isSureAlone: false },
  { words: 'الاسم', part: 'given_name', isSureBeside: false, isSureAlone: true },
]
