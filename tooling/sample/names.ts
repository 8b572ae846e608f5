interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const names = (first: string, last: string): Names => ({ first: first.split(', '), last: last.split(', ') });

/** First and last names that go together. */
export const NAMES: readonly Names[] = [
  names('Amara, Chidi, Ngozi, Emeka, Ifeoma, Tunde', 'Okafor, Adeyemi, Nwosu, Balogun, Eze'),
  names('Anna, Lukas, Greta, Jürgen, Sabine, Felix', 'Müller, Schäfer, Weiß, Brandt, Vogel'),
  names('Camille, Étienne, Chloé, Rémi, Aurélie, Luc', 'Lefèvre, Moreau, Girard, Benoît, Rousseau'),
  names('Priya, Arjun, Ananya, Rohan, Kavya, Vikram', 'Sharma, Iyer, Banerjee, Reddy, Chaudhary'),
  names('Wei, Jing, Lan, Hao, Mei, Jun', 'Chen, Zhang, Liu, Huang, Zhao'),
  names('Yuki, Haruto, Sakura, Kenji, Aiko, Ren', 'Tanaka, Sato, Yamamoto, Kobayashi, Ito'),
  names('Sofía, Mateo, Lucía, Diego, Inés, Álvaro', 'García, Fernández, Muñoz, Ibáñez, Ortega'),
  names('Łucja, Piotr, Agnieszka, Michał, Zofia, Paweł', 'Nowak, Kowalczyk, Mazur, Kaczmarek, Wójcik'),
  names('Layla, Omar, Yasmin, Karim, Noor, Samir', 'Haddad, Mansour, Khalil, Nasser, Farouk'),
  names('Olivia, James, Grace, Liam, Ruth, Owen', 'Bennett, Hughes, Fraser, Doyle, Whitfield'),
  names('Elif, Emre, Zeynep, Mehmet, Defne, Kerem', 'Yılmaz, Demir, Kaya, Şahin, Öztürk'),
  names('Ingrid, Søren, Astrid, Lars, Åsa, Bjørn', 'Lindqvist, Nygård, Sørensen, Håkansson, Dahl'),
  names('Thảo, Minh, Linh, Quân, Hương, Tuấn', 'Nguyễn, Trần, Phạm, Lê, Vũ'),
  names('Beatriz, João, Mariana, Caio, Letícia, Tiago', 'Araújo, Gonçalves, Carvalho, Nascimento, Brandão'),
  names('Olena, Andriy, Iryna, Taras, Kateryna, Bohdan', 'Shevchenko, Kovalenko, Bondar, Melnyk, Lysenko'),
  names('Min-ji, Seo-jun, Ha-eun, Ji-ho, Soo-ah, Do-yun', 'Kim, Park, Choi, Jung, Kang'),
];

const SPECIAL_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', đ: 'd', ı: 'i', å: 'a' };

/** A name in the letters that a login name may have. */
export const toLoginLetters = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[łøßđıå]/g, (letter) => SPECIAL_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z-]/g, '');

/** The services that have an identity of their own. */
export const SERVICES = ['build', 'backup', 'monitoring', 'hr-sync'] as const;
