/**
 * Passwords, and words in passwords, that guessers try first. They are folded and have no punctuation. Sources:
 * public lists of the most common passwords of 8 or more characters, and phrases of 15 or more that people choose
 * when asked for a long one. The strict policy also refuses them with digits around them, and repeated.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
password passwort password1 password12 password123 passw0rd p4ssw0rd motdepasse contrasena senha parola wachtwoord
letmein welcome welcome1 admin administrator administrateur root user guest default changeme changeit secret
qwerty qwerty1 qwerty123 qwertyuiop qwertyuiopasdf qwertyuiopasdfg qwertyuiopasdfgh qwertyuiopasdfghjkl asdfghjkl
asdfghjklqwertyuiop zxcvbnm qazwsx qazwsxedc qazwsxedcrfv qazwsxedcrfvtgb qwertzuiop azertyuiop 1q2w3e4r 1q2w3e4r5t
1q2w3e4r5t6y 1q2w3e4r5t6y7u8i9o0p 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv zaq12wsx
iloveyou ilovemyschool iloveyouforever iloveyousomuch sunshine princess monkey dragon football baseball basketball
superman batman master shadow michael jennifer jordan liverpool chelsea arsenal barcelona
school myschool teacher teachers student students schoolschool classroom headteacher principal
thisismypassword mypassword mypasswordis thisisapassword thisisasecret itsasecret newpassword oldpassword
passwordpassword passwordispassword thepassword yourpassword mysecretpassword supersecretpassword supersecret
averylongpassword verylongpassword longpassword alongpassword strongpassword averystrongpassword securepassword
correcthorsebatterystaple correcthorse horsebatterystaple opensesame letmeinplease letmeinletmein letmeinnow
trustno1 whatever whateverwhatever nothing idontknow idontremember donotforget forgetmenot rememberme
nevergonnagiveyouup maytheforcebewithyou helloworld hellohello happybirthday merrychristmas
thequickbrownfox thequickbrownfoxjumps todayisagoodday abcdefghijklmno abcdefghijklmnop abcdefghijklmnopqrstuvwxyz
123456789012345 1234567890123456 12345678901234567890 123123123123123 987654321098765 111111111111111
`
    .trim()
    .split(/\s+/),
)
