/** Twenty groups of names, ten each: given names, family names, and how the script puts them together. */
const groups: [given: string, family: string, join: (given: string, family: string) => string][] = [
  ['Zoë Jörg Käthe Björn Änne', 'Müller Weiß', spaced],
  ['Éloïse François Hélène Gaël Noémie', 'Lefèvre Brûlé', spaced],
  ['Íñigo Begoña José Inés Ángel', 'Núñez Peña', spaced],
  ['Łukasz Małgorzata Jędrzej Żaneta Świętosława', 'Wójcik Dąbrowska', spaced],
  ['Søren Åse Bjørn Mæja Øyvind', 'Ødegård Kjær', spaced],
  ['Çağla Ömer Işıl Şükrü Gökçe', 'Yıldız Özdoğan', spaced],
  ['Nguyệt Đức Thảo Hùng Yến', 'Nguyễn Trần', familyFirst],
  ['Анна Михаил Светлана Йосиф Алёна', 'Соловей Ковальчук', spaced],
  ['Θεοδώρα Νικόλαος Ελένη Γιώργος Ζωή', 'Παπαδάκης Σεφέρης', spaced],
  ['ליאור נועה דניאל תמר יוסף', 'כהן לוי', spaced],
  ['فاطمة محمد نور خالد ليلى', 'الخطيب الحداد', spaced],
  ['پریسا کوروش ژاله گلنار مهدی', 'تهرانی یزدانی', spaced],
  ['प्रिया अर्जुन लक्ष्मी कृष्ण मीरा', 'शर्मा वर्मा', spaced],
  ['রবীন্দ্র সুমিত্রা অনিন্দিতা তানভীর মৌসুমী', 'চট্টোপাধ্যায় রহমান', spaced],
  ['கவிதா முருகன் செல்வி அருண் மீனாட்சி', 'சுந்தரம் பிள்ளை', spaced],
  ['小明 美玲 建國 雅婷 志偉', '王 歐陽', joinedFamilyFirst],
  ['さくら ハルト ゆい ソウタ ひなた', '山本 高橋', familyFirst],
  ['민준 서연 지우 하은 도윤', '김 박', joinedFamilyFirst],
  ['สมชาย มาลี กิตติ ปราณี วิชัย', 'ศรีสุข บุญมา', spaced],
  ['ნინო გიორგი Արամ Անահիտ ሰላም', 'მაისურაძე Պետրոսյան', spaced],
]

function spaced(given: string, family: string): string {
  return `${given} ${family}`
}

function familyFirst(given: string, family: string): string {
  return `${family} ${given}`
}

function joinedFamilyFirst(given: string, family: string): string {
  return `${family}${given}`
}

/** Two hundred students in twenty languages, dealt out over the twelve classes of a fresh database. */
export function demoStudents() {
  const names = groups.flatMap(([given, family, join]) =>
    family.split(' ').flatMap((last) => given.split(' ').map((first) => join(first, last))),
  )
  return names.map((name, i) => ({
    name,
    admission_number: `2026-${String(i + 1).padStart(4, '0')}`,
    class_id: (i % 12) + 1,
  }))
}
