/** How the names of one people are made. Lists stand in the order of how common the names are. */
export interface People {
  /** Of a hundred students or so, how many. */
  readonly weight: number
  readonly given: string
  readonly family: string
  /** How steeply common family names outweigh the others: Zipf's exponent. */
  readonly skew: number
  /** Share of family names that are made of a beginning and an ending: the long tail of rare ones. */
  readonly rareShare: number
  readonly beginnings: string
  readonly endings: string
  /** How the parts stand. Default: given name, family name. */
  readonly order?: 'family given' | 'familygiven' | 'given given family'
}

const latinBeginnings =
  'Al Ber Cas Dor El Fer Gar Hol In Jor Kal Lam Mar Nor Ol Per Quin Ros Sal Tor Ul Ver Wal Xan Yor Zim Bran Crom Drum Flan Gris Krol Plov Stan Trev'

/** The peoples of the benchmark, in many scripts; the frequencies follow what registers publish, roughly. */
export const peoples: readonly People[] = [
  {
    weight: 15, // Vietnamese
    given: 'Anh Linh Minh Hương Thảo Ngọc Đức Hải Tuấn Phương Quang Hà Lan Bình Dũng Mỹ Thị Trúc Việt',
    family: 'Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương Lý',
    skew: 1.2,
    rareShare: 0.02,
    beginnings: 'Đoàn Khổng Quách Thạch Nghiêm Tôn Công Lưu',
    endings: '-Thất -Huyền -Tằng -Văn -Đình -Phước -Bá',
    order: 'family given',
  },
  {
    weight: 12, // English
    given:
      'Olivia Noah Amelia Oliver Isla George Ava Arthur Lily Leo Zoë Chloë Aoife Siân Harry Grace Jack Freya',
    family:
      "Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright O'Brien Walker Evans McDonald",
    skew: 0.8,
    rareShare: 0.35,
    beginnings: `${latinBeginnings} Ash Birch Thorn Wool Hather Lang Peck`,
    endings: 'ton ley field worth ham combe shaw well ridge more by wick croft den stead brook',
  },
  {
    weight: 9, // French, Spanish, German, Nordic
    given:
      'José María Zoé Léa François Jürgen Björn Søren Åsa Inés Núria Hélène Günther Łukasz Íñigo Chloé Anaïs Øyvind',
    family:
      'García Müller Martín Fernández Hansen Schröder Lefèvre Núñez Jørgensen Björklund Weiß Peña Grönholm',
    skew: 0.9,
    rareShare: 0.4,
    beginnings: `${latinBeginnings} Mün Schö Bjø Lün Häm`,
    endings: 'ández ínez sen mann bauer ström gård eau ière ález hoff quist berg lund meister',
  },
  {
    weight: 6, // Polish
    given:
      'Zofia Jan Zuzanna Łukasz Małgorzata Michał Agnieszka Paweł Wójciech Bożena Stanisław Żaneta Grażyna',
    family: 'Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Woźniak Dąbrowski',
    skew: 0.7,
    rareShare: 0.45,
    beginnings: `${latinBeginnings} Brzę Szcze Krzy Świe Żół Gór Dęb`,
    endings: 'owski ewicz czyk ak owicz iński arek eński ała uszko kiewicz',
  },
  {
    weight: 5, // Turkish
    given: 'Yusuf Zeynep Elif Ömer Eymen Ayşe İsmail Gülşen Çağla Işıl Özgür Şükrü Tuğçe Oğuz Ünal',
    family: 'Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç',
    skew: 0.7,
    rareShare: 0.35,
    beginnings: 'Kara Ak Gök Taş Deniz Bal Çam Kır Sarı Güneş Koç Tunç Uz Yeşil Bozkurt Er',
    endings: 'oğlu kaya türk soy demir alp taş can er göz kan baş ay bulut',
  },
  {
    weight: 8, // Russian and Ukrainian
    given: 'Александр Мария Анна Иван Дмитрий Софія Олександр Екатерина Андрій Фёдор Юлия Артём Алёна Богдан',
    family: 'Иванов Смирнов Кузнецов Попов Шевченко Мельник Коваленко Соколов Петрова Волкова Бойко Киселёв',
    skew: 0.6,
    rareShare: 0.45,
    beginnings:
      'Барс Вет Горд Дуб Ел Жук Зай Кар Лап Мор Нест Ост Пан Руд Сав Тар Ус Фил Хар Цвет Чер Шуб Щег',
    endings: 'енко ов ева ский ин чук юк ёв цкий ишин ыгин аненко олов',
  },
  {
    weight: 3, // Greek
    given: 'Γεώργιος Μαρία Ιωάννης Ελένη Κωνσταντίνος Κατερίνα Δημήτρης Βασιλική Νίκος Αγγελική',
    family: 'Παπαδόπουλος Βλάχος Αγγελόπουλος Νικολάου Γεωργίου Οικονόμου Δημητρίου Καραγιάννης',
    skew: 0.6,
    rareShare: 0.4,
    beginnings: 'Παπα Καρα Χατζη Μαυρο Κωστ Λαμπρ Σταυρ Θεοδωρ Αθαν Ζαχαρ',
    endings: 'όπουλος ίδης άκης έας άτος ιάδης ούδης άκος',
  },
  {
    weight: 9, // Arabic
    given: 'محمد أحمد فاطمة علي عمر مريم يوسف زينب إبراهيم خديجة حسن نور سارة عبدالله',
    family: 'الحسن العلي المصري الأنصاري السيد الخطيب النجار الحداد القاضي البغدادي الشامي',
    skew: 0.9,
    rareShare: 0.3,
    beginnings: 'الزهر القاسم الرشيد الفرج الصبح الكرم المنصور الشريف العبد الغزال الهاشم',
    endings: 'ي اوي اني وني ين ان اتي وري',
    order: 'given given family',
  },
  {
    weight: 4, // Persian and Urdu
    given: 'زهرا علی‌رضا فاطمه امیرعلی پریسا گلناز چنگیز ژاله کیان عائشہ حمزہ',
    family: 'محمدی حسینی احمدی رضایی کریمی موسوی جعفری خان چودھری',
    skew: 0.8,
    rareShare: 0.35,
    beginnings: 'گل پور شیر کاو مهر نیک رستم بهر ژرف چم',
    endings: 'زاده پور نژاد یان فر دوست منش گر',
  },
  {
    weight: 2, // Hebrew
    given: 'נועם תמר דוד אביגיל יהודה שרה אריאל מאיה יוסף רבקה',
    family: 'כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן',
    skew: 0.9,
    rareShare: 0.35,
    beginnings: 'גולד רוזן שטיין ויין ברג הירש אייזן זילבר',
    endings: 'ברג מן שטיין פלד בוים הלר צוויג',
  },
  {
    weight: 6, // Hindi and Marathi
    given: 'आरव प्रिया राहुल अनन्या विवेक कृष्णा सीता अर्जुन दीपिका रवि लक्ष्मी श्रेया',
    family: 'कुमार सिंह शर्मा देवी वर्मा गुप्ता यादव पाटील मिश्रा जोशी',
    skew: 0.9,
    rareShare: 0.25,
    beginnings: 'राम चन्द्र सूर्य देव गंगा शिव हरि इन्द्र विष्णु धर्म',
    endings: 'पुरकर वाल नाथ दास लकर राज पाल कर गाँवकर',
  },
  {
    weight: 3, // Bengali
    given: 'রহিম আয়েশা সুমন প্রিয়া তানভীর নুসরাত অর্ণব মৌসুমী',
    family: 'ইসলাম হোসেন আহমেদ চৌধুরী দাস রায় সরকার খাতুন',
    skew: 0.9,
    rareShare: 0.2,
    beginnings: 'চট্টো মুখো বন্দ্যো গঙ্গো ভট্টা সেন পাল',
    endings: 'পাধ্যায় চার্য গুপ্ত শর্মা দেব বর্মন',
  },
  {
    weight: 2, // Tamil, by the father's name
    given: 'முருகன் கவிதா அருண் தமிழ்ச்செல்வி கார்த்திக் மீனா செந்தில் லட்சுமி',
    family: 'சுப்பிரமணியன் ராஜேந்திரன் கிருஷ்ணன் பாலசுப்பிரமணியம் வேலு குமார்',
    skew: 0.7,
    rareShare: 0.3,
    beginnings: 'அண்ணா சிவ தங்க நல்ல பெரிய சின்ன இளங்',
    endings: 'துரை மணி வேல் ராஜன் செல்வன் கோவன்',
  },
  {
    weight: 3, // Thai
    given: 'สมชาย สุดา กิตติ พิมพ์ชนก ธนกร ณัฐวุฒิ อรทัย วรรณา',
    family: 'แซ่ลี้ ทองดี สุขใจ บุญมี แก้วมณี ศรีสุข',
    skew: 0.5,
    rareShare: 0.7,
    beginnings: 'วงศ์ ศรี บุญ ทอง รัตน สุวรรณ จันทร์ เจริญ พงษ์ กิตติ อินทร์ มณี',
    endings: 'สกุล ไพบูลย์ วัฒนา พันธ์ เจริญ กุล รักษ์ สวัสดิ์ ชัย ประเสริฐ',
  },
  {
    weight: 7, // Chinese
    given: '伟 芳 娜 秀英 敏 静 丽 强 磊 洋 艳 勇 军 杰 娟 涛 明 超 子涵 浩然 欣怡 梓萱 宇轩 小明',
    family: '王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 罗',
    skew: 0.7,
    rareShare: 0.04,
    beginnings: '欧阳 上官 司马 诸葛 皇甫 尉迟 公孙 慕容',
    endings: '伯 仲 叔 季 孟 文 武',
    order: 'familygiven',
  },
  {
    weight: 3, // Japanese
    given: '陽菜 蓮 結衣 大翔 さくら 悠真 美咲 ひなた 健太 エミリ',
    family: '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤',
    skew: 0.5,
    rareShare: 0.35,
    beginnings: '東 西 大 小 上 下 青 白 黒 金 松 竹 梅 石 森',
    endings: '川 山 原 野 沢 島 崎 橋 井 口 谷 浜 倉 越 瀬',
    order: 'family given',
  },
  {
    weight: 2, // Korean
    given: '민준 서연 도윤 지우 하준 서윤 예준 지민 수아 현우',
    family: '김 이 박 최 정 강 조 윤 장 임',
    skew: 0.9,
    rareShare: 0.03,
    beginnings: '남궁 황보 제갈 사공 선우 독고',
    endings: '현 빈 성 호 진',
    order: 'familygiven',
  },
  {
    weight: 1, // Amharic, by the father's name
    given: 'አበበ ሰላም ዳዊት ሐና ብርሃኑ ትግስት ዮሐንስ ማርታ',
    family: 'ተስፋዬ ከበደ ገብረመድህን ኃይሉ በቀለ አለማየሁ ታደሰ',
    skew: 0.6,
    rareShare: 0.35,
    beginnings: 'ገብረ ወልደ ኃይለ ተክለ ፍቅረ ክፍለ',
    endings: 'ማርያም ሥላሴ ጊዮርጊስ ሚካኤል አምላክ ኢየሱስ',
  },
]
