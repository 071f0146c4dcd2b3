/** Whether a password is common, and so tried first by attackers, or is the account's own address. */
export function isCommonPassword(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  if (lower === email || lower === email.slice(0, email.indexOf('@'))) return true;
  const isOneCharacter = new Set(lower).size === 1;
  return isOneCharacter || COMMON.has(lower) || COMMON.has(withoutDecoration(lower));
}

/** Attackers also try `Password1!` for `password`. */
const withoutDecoration = (password: string): string => password.replace(/[\d!?.*#$@_-]{1,4}$/, '');

/** The most common passwords of known leaks with at least 8 characters, in lower case. */
const COMMON = new Set(
  `12345678 123456789 1234567890 123123123 987654321 11223344 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyuiop qwerty123
  qwerty12 qwerty1234 qwertyui asdfghjkl asdfghjk asdf1234 zxcvbnm1 zxcvbnm123 1qazxsw2 zaq12wsx qazwsxedc
  password password1 password12 password123 passw0rd p@ssw0rd p@ssword pa55word passwort kennwort motdepasse
  iloveyou iloveyou1 sunshine princess princess1 football football1 baseball baseball1 superman superman1 batman123
  starwars computer computer1 internet whatever trustno1 michelle jennifer jessica1 michael1 charlie1 jordan23
  welcome1 welcome123 letmein1 letmein123 changeme changeme1 administrator admin123 admin1234 adminadmin root1234
  test1234 testtest testing1 testing123 demo1234 guest123 default1 secret123 master123 dragon123 monkey123
  abcd1234 abcdefgh abcdefg1 abc12345 abc123456 a1b2c3d4 aa123456 a1234567 a12345678 1a2b3c4d q1w2e3r4 q1w2e3r4t5
  liverpool chelsea1 arsenal1 barcelona realmadrid manchester juventus samsung1 samantha victoria elizabeth
  danielle nicholas benjamin anthony1 matthew1 andrew12 jonathan alexander alexandra christian christopher
  butterfly chocolate strawberry pineapple blink182 slipknot metallica nirvana1 eminem123 greenday
  snowball midnight mountain thunder1 hurricane cocacola pepsi123 corvette mercedes porsche1 ferrari1 mustang1
  basketball softball volleyball swimming hockey123 soccer12 gangster babygirl babygirl1 lovelove iloveme1 loveyou1
  forever1 hello123 hellohello goodluck freedom1 america1 december november september february january1
  summer2023 summer2024 summer2025 winter2023 winter2024 winter2025 spring2024 spring2025 autumn2024 autumn2025
  therapist therapy1 therapy123 practice practice1 physiotherapy massage1 password1234 passpass pass1234 pass12345
  0123456789 012345678 87654321 88888888 66666666 55555555 147258369 159357456 741852963 963852741 789456123
  12341234 123454321 12344321 121212121 131313131 112233445566 102030405060 19841984 20002000 google123 facebook`
    .split(/\s+/)
    .filter(Boolean),
);
