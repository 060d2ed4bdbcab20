/** The search of the site: the box, its list and the keys. */
const input = document.querySelector('input[type=search]');
const list = document.querySelector('.search ol');
const up = document.body.dataset.up;

function show() {
  const found = input.value.trim() === '' ? [] : window.findSections(input.value);
  list.replaceChildren(
    ...found.map(([, path, title, heading, text]) => {
      const link = document.createElement('a');
      link.href = `${up}/${path}`;
      const name = document.createElement('strong');
      name.textContent = heading === title ? title : `${title} › ${heading}`;
      const words = document.createElement('span');
      words.textContent = text;
      link.append(name, words);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  if (found.length === 0 && input.value.trim() !== '') {
    const item = document.createElement('li');
    item.textContent = 'No page has all of these words.';
    list.append(item);
  }
  list.hidden = input.value.trim() === '';
}

input.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape') {
    list.hidden = true;
    input.blur();
  } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
  else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
    event.preventDefault();
    (links[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? input).focus();
  }
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.search')) list.hidden = true;
});
