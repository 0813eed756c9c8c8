/** The commonest passwords of eight characters and more, in lower case; shorter ones are taken from nobody. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  contrasena contraseña geheim123 haslo123 heslo123 kennwort kennwort1 motdepasse motdepasse1 mypassword mypassword1
  newpassword newpassword1 nopassword p@ssw0rd p@ssw0rd! p@ssw0rd1 p@ssw0rd12 p@ssw0rd123 p@ssword p@ssword1
  p@ssword123 pa$$w0rd pa$$word pa55w0rd pa55word parola12 parola123 pass123! pass1234 pass12345 pass123456 pass@123
  pass@1234 pass@word1 passpass passw0rd passw0rd! passw0rd1 passw0rd123 passw@rd password password! password#
  password#1 password$ password. password0 password01 password1 password1! password1. password11 password12
  password12! password123 password123! password1234 password12345 password123456 password2 password2020 password2021
  password2022 password2023 password2024 password2025 password2026 password21 password22 password3 password69
  password7 password8 password9 password99 password@ password@1 password@12 password@123 password_1 passwordpassword
  passwords passwort passwort1 passwort123 salasana senha123 senha1234 thepassword wachtwoord yourpassword
  00000000 000000000 0000000000 01234567 012345678 0123456789 0987654321 100000000 100200300 10101010 10203040
  1020304050 102030405060 1029384756 11111111 111111111 1111111111 11112222 11221122 11223344 1122334455 112233445566
  12121212 1212121212 12312312 123123123 1231231234 123321123 12341234 123412345 12344321 12345123 1234512345
  123454321 1234554321 12345612 123456123 123456123456 12345654321 123456654321 12345670 12345678 123456781 123456789
  1234567890 1234567891 12345678910 12345679 13131313 1357908642 13579246 135792468 1357924680 14141414 14725836
  147258369 147852369 159357123 159357456 159753123 159753456 15975346 19191919 19801980 19841984 19851985 19871987
  19881988 19891989 19901990 19911991 19921992 20002000 20012001 20202020 21212121 22222222 23232323 24681012
  25252525 25802580 31415926 314159265 3141592654 32132132 321321321 33333333 36925814 369258147 42424242 43214321
  44444444 52013140 52525252 54545454 55555555 555555555 65432100 654321654321 66666666 69696969 74185296 741852963
  77777777 777777777 78787878 78945612 789456123 789789789 87651234 87654321 88887777 88888888 888888888 90909090
  951753852 96385274 963852741 98765432 987654321 9876543210 98989898 99887766 99999999 999999999
  !qaz1qaz !qaz2wsx !qaz@wsx 0okm9ijn 12345678q 123456qw 123456qwerty 12345qwert 1234qwer 123qwe123 123qweasd
  123qweasdzxc 123qwerty 12qwaszx 1q2w3e4r 1q2w3e4r! 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc
  1qaz2wsx3edc4rfv 1qaz@wsx 1qazxsw2 1qazxsw23edc 1qw23er4 1qw23er45t a1s2d3f4 a1s2d3f4g5 asd12345 asd123456
  asdasd123 asdasdasd asdf1234 asdf12345 asdf;lkj asdfasdf asdfghjk asdfghjkl asdfghjkl1 asdfghjkl123 asdfjkl;
  asdfqwer asdqwe123 asdzxc123 azertyui azertyuiop lkjhgfdsa mnbvcxz1 mnbvcxzlkjhgfdsapoiuytrewq poiuytrewq q1234567
  q12345678 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx12 qazwsx123 qazwsxedc qazwsxedcrfv qazxswedc qq123456 qwaszx12
  qwe12345 qwe123456 qwe123qwe qwe123qwe123 qweasd123 qweasdqwe qweasdzxc qweqwe123 qweqweqwe qwer1234 qwer12345
  qwer123456 qwer4321 qwerqwer qwert123 qwert1234 qwert12345 qwerty01 qwerty1! qwerty11 qwerty12 qwerty123 qwerty123!
  qwerty1234 qwerty12345 qwerty123456 qwerty21 qwerty22 qwerty77 qwerty99 qwertyqwerty qwertyui qwertyuio qwertyuiop
  qwertyuiop1 qwertyuiop123 qwertzui qwertzuiop z1x2c3v4 z1x2c3v4b5 zaq!2wsx zaq12wsx zaq1xsw2 zaq1zaq1 zxcasdqwe
  zxcv1234 zxcvbnm, zxcvbnm1 zxcvbnm12 zxcvbnm123 zxcvzxcv zxczxczxc
  111111aa 1111aaaa 123456789a 123456789q 12345678a 1234567a 123456aa 123456ab 123456abc 123456as 12345abc 1234abcd
  123abc123 1a2b3c4d 1a2b3c4d5e a0000000 a123456! a1234567 a12345678 a123456789 a1234567890 a123456a a1a1a1a1
  a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 aaa12345 aaa123456 aaaa1111 aaaa1234 aaaaaaaa aaaaaaaaa aaaaaaaaaa aabbccdd
  ab123456 abc123!! abc12345 abc123456 abc1234567 abc123abc abc123abc123 abc@1234 abcabcabc abcd1234 abcd12345
  abcd123456 abcd@123 abcd@1234 abcdabcd abcdef12 abcdef123 abcdefg1 abcdefg123 abcdefgh abcdefghi abcdefghij
  abcdefghijklmnopqrstuvwxyz as123456 b123456789 kkkkkkkk qqqqqqqq s123456789 ssssssss wwwwwwww xxxxxxxx xxxxxxxxx
  z123456789 zzzzzzzz
  baseball baseball1 baseball12 baseball123 basketball basketball1 batman12 batman123 beatles1 beautiful beautiful1
  blink182 computer computer1 computer123 counterstrike deadpool dragonball eminem12 football football! football1
  football12 football123 fortnite fortnite1 gandalf1 greenday greenday1 harrypotter hockey12 hogwarts ihateyou
  iloveme1 iloveme123 iloveme2 iloveu12 iloveu123 iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou2
  iloveyou2! iloveyou3 internet internet1 iphone12 ironman1 linkinpark lovelife lovelove lovelove1 loveme12 loveme123
  loverboy lovergirl loveyou1 loveyou123 loveyou2 matrix12 metallica metallica1 minecraft minecraft1 minecraft123
  mylove123 naruto12 naruto123 nintendo nirvana1 nokia123 pikachu1 playstation pokemon1 pokemon12 pokemon123 princesa
  princess princess1 princess12 princess123 rockstar rockstar1 samsung1 samsung12 samsung123 slipknot slipknot1
  snoopdogg soccer12 soccer123 softball softball1 spider12 spider123 spiderman spiderman1 starcraft startrek starwars
  starwars1 sunshine sunshine! sunshine1 sunshine12 sunshine123 superman superman1 superman123 superstar superstar1
  teamo123 teamomucho tequiero truelove trustno1 trustnoone warcraft whatever whatever1
  alejandra alejandro alexander alexander1 alexandra alexandre amanda12 amanda123 anderson andrea12 andrew12 anthony1
  arsenal1 arsenal123 ashley12 ashley123 barcelona barcelona1 benjamin benjamin1 brandon1 brittany broncos1 caroline
  catherine celtic123 charlie1 charlie12 charlie123 chelsea1 chelsea123 christian christian1 christopher cowboys1
  daniel12 daniel123 danielle danielle1 david123 dolphins eagles12 elizabeth everton1 fernando francesco francisco
  gabriela gabriella george12 hannah12 isabella isabelle jasmine1 jennifer jennifer1 jessica1 jessica123 jonathan
  jordan123 jordan23 joshua12 juventus katherine katherine1 kimberly kristina lakers24 liverpool liverpool1
  liverpool123 manchester margarita marianne martin123 matthew1 melissa1 mercedes mercedes1 michael1 michael12
  michael123 michelle michelle1 nicholas nicole12 nicole123 packers1 patricia patrick1 patriots rangers1 realmadrid
  rebecca1 redskins richard1 robert12 samantha samantha1 sebastian steelers steelers1 stephanie stephanie1 thomas12
  thomas123 valentina vanessa1 veronica victoria victoria1 william1 yankees1
  angel123 angel1234 angels12 autumn2020 autumn2021 autumn2022 autumn2023 autumn2024 autumn2025 autumn2026 baby1234
  babyboy1 babygirl babygirl1 babygirl12 banana12 banana123 blackcat blackjack blessed1 blessing blueberry brother1
  bubbles1 buster12 buttercup butterfly butterfly1 cheese12 cheese123 chocolate chocolate1 cookie12 cookie123
  cupcake1 cutiepie daddy123 daddysgirl darkness darkness1 december diamond1 diamond123 dolphin1 dragon12 dragon123
  dragon1234 eagle123 elephant family123 father123 february flower12 flower123 forever1 forever123 forever21 freedom1
  freedom123 friday123 friends1 friends123 friendship garfield ginger12 ginger123 godisgood godislove goodluck
  happiness happy123 heaven12 hello123 hello1234 hello12345 hellohello hellokitty helloworld helloworld1 january1
  january2024 jesus123 jesus777 jesuschrist maggie12 master12 master123 masterkey midnight midnight1 mommy123
  monday123 monkey12 monkey123 monkey1234 mother12 mother123 mustang1 mustang123 november october1 orange12 orange123
  panther1 peaches1 peanut12 pepper12 pepper123 phoenix1 phoenix123 pineapple precious precious1 rainbow1 rainbow123
  rosebud1 saturday scooter1 scorpion september shadow12 shadow123 snickers snowball snowflake spring2020 spring2021
  spring2022 spring2023 spring2024 spring2025 spring2026 strawberry summer12 summer123 summer2020 summer2021
  summer2022 summer2023 summer2024 summer2025 summer2026 sunflower sweetheart sweetie1 sweetpea thursday tiger123
  wednesday winter12 winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026
  access12 access123 access14 adm1n123 admin123 admin123! admin1234 admin12345 admin123456 admin2020 admin2021
  admin2022 admin2023 admin2024 admin2025 admin2026 admin@123 admin@1234 adminadmin administrator administrator1
  amazon12 america1 anything argentina asshole1 australia berlin12 bigboy12 bigdaddy blowjob1 brasil12 brasil123
  budweiser bullshit business california canada12 changeit changeme changeme! changeme1 changeme12 changeme123
  chevrolet cocacola cocacola1 colombia company1 company123 corvette database database1 default1 default123 demo1234
  demo12345 demodemo deutschland england1 everything facebook facebook1 facebook123 ferrari1 ferrari123 fuckyou!
  fuckyou1 fuckyou123 fuckyou2 germany1 google12 google123 guest123 guest1234 hacker12 hacker123 harley12
  harleydavidson heineken hunter12 hunter123 instagram kawasaki killer12 killer123 lamborghini letmein! letmein1
  letmein12 letmein123 letmeinnow linkedin linkedin1 linux123 login123 login1234 london12 london123 manager1
  manager123 marijuana marlboro mexico12 mexico123 microsoft mustang67 mysql123 netflix1 newyork1 newyork123 nothing1
  office12 office365 oracle12 oracle123 paris123 paypal12 porsche1 porsche911 postgres postgres1 pussycat ranger12
  root1234 rootroot secret12 secret123 secret1234 security security1 server123 service1 service123 snapchat soldier1
  something sparky12 spotify1 suzuki12 temp1234 temporary temppass test123! test1234 test12345 test123456 test@123
  tester12 tester123 testing1 testing12 testing123 testpass testtest testtest1 toor1234 topsecret ubuntu12 user1234
  user12345 username warrior1 warriors welcome! welcome01 welcome1 welcome12 welcome123 welcome123! welcome1234
  welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 welcome@1 welcome@123 whatsapp
  whatsup1 windows1 windows10 windows11 windows7 worktrack worktrack1 worktrack123 yamaha12 youtube1
  `
    .trim()
    .split(/\s+/),
);
