import { textsOf } from '../language/language.ts'

/** The languages that encodings were made for. */
const scripts = textsOf({
  en: {
    western: 'Western European',
    central: 'Central European',
    cyrillic: 'Cyrillic',
    russian: 'Russian',
    ukrainian: 'Ukrainian',
    turkish: 'Turkish',
    arabic: 'Arabic',
    hebrew: 'Hebrew',
    greek: 'Greek',
    baltic: 'Baltic',
    vietnamese: 'Vietnamese',
    thai: 'Thai',
    japanese: 'Japanese',
    korean: 'Korean',
    simplified: 'Chinese, simplified',
    traditional: 'Chinese, traditional',
  },
  de: {
    western: 'Westeuropäisch',
    central: 'Mitteleuropäisch',
    cyrillic: 'Kyrillisch',
    russian: 'Russisch',
    ukrainian: 'Ukrainisch',
    turkish: 'Türkisch',
    arabic: 'Arabisch',
    hebrew: 'Hebräisch',
    greek: 'Griechisch',
    baltic: 'Baltisch',
    vietnamese: 'Vietnamesisch',
    thai: 'Thailändisch',
    japanese: 'Japanisch',
    korean: 'Koreanisch',
    simplified: 'Chinesisch, Kurzzeichen',
    traditional: 'Chinesisch, Langzeichen',
  },
  ar: {
    western: 'أوروبا الغربية',
    central: 'أوروبا الوسطى',
    cyrillic: 'السيريلية',
    russian: 'الروسية',
    ukrainian: 'الأوكرانية',
    turkish: 'التركية',
    arabic: 'العربية',
    hebrew: 'العبرية',
    greek: 'اليونانية',
    baltic: 'لغات البلطيق',
    vietnamese: 'الفيتنامية',
    thai: 'التايلاندية',
    japanese: 'اليابانية',
    korean: 'الكورية',
    simplified: 'الصينية المبسطة',
    traditional: 'الصينية التقليدية',
  },
})

type Script = keyof ReturnType<typeof scripts>

/** All that the server asks about: what each is for, and what programs call it. */
const encodings: Readonly<Record<string, readonly [Script, string]>> = {
  'windows-1252': ['western', 'Windows-1252'],
  'windows-1250': ['central', 'Windows-1250'],
  'windows-1251': ['cyrillic', 'Windows-1251'],
  'windows-1253': ['greek', 'Windows-1253'],
  'windows-1254': ['turkish', 'Windows-1254'],
  'windows-1255': ['hebrew', 'Windows-1255'],
  'windows-1256': ['arabic', 'Windows-1256'],
  'windows-1257': ['baltic', 'Windows-1257'],
  'windows-1258': ['vietnamese', 'Windows-1258'],
  'windows-874': ['thai', 'Windows-874'],
  'iso-8859-2': ['central', 'ISO 8859-2'],
  macintosh: ['western', 'Macintosh'],
  'x-mac-cyrillic': ['cyrillic', 'Macintosh'],
  shift_jis: ['japanese', 'Shift JIS'],
  'euc-jp': ['japanese', 'EUC-JP'],
  'euc-kr': ['korean', 'EUC-KR'],
  gb18030: ['simplified', 'GB 18030'],
  big5: ['traditional', 'Big5'],
  'koi8-r': ['russian', 'KOI8-R'],
  'koi8-u': ['ukrainian', 'KOI8-U'],
  ibm866: ['cyrillic', 'DOS'],
}

/** What an encoding is called in the reader's language; undefined: its name is not known here. */
export function encodingWords(label: string): string | undefined {
  const [script, name] = encodings[label] ?? []
  return script && `${scripts()[script]} (${name})`
}
