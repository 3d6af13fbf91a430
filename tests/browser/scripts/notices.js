// Notices of some length where such things stand: above the felt, and above the choices.
(where) => {
  for (const place of document.querySelectorAll(where)) {
    const notice = document.createElement("p");
    notice.textContent = "The line to the house is lost; what you chose is sent again as soon as it answers.";
    place.prepend(notice);
  }
}
