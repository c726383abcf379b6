"""Verifiers: each demand of a brief, checked on the drawing, with what was seen.

`verify(board, requirement)` looks the requirement's `kind` up in `VERIFIERS`. Shares
are of the board's height unless said otherwise. `role` may name a group (`features`
stands for `features.1`, ...); in the kinds marked * it may be "*", all content, and is
then met, or partly (two thirds or more), or not.

kind              args                     demand
exists            role                     it is on the board and has extent
text_present      role, text               it says this (case and blanks aside), visibly
contrast *        role, ratio              WCAG contrast with what lies behind, at worst
no_overflow *     role                     its text fits its box, and it the board
safe_margin *     role, share              it keeps this share of the shorter side free
min_size          role, share              type size (height, if no text) at least
max_size          role, share              type size (height, if no text) at most
hierarchy         big, small, ratio        type of one over type of the other, at least
no_overlap *      role                     with no other content or kit element
aligned           role, edge, other        edges or centres agree; other "": the board,
                                           whose left/right/top/bottom is its margin
palette *         role                     only colours of the kit
image_undistorted role                     proportions kept within 3%
image_sharp       role                     its px suffice for its size in the export
in_kit *          role                     only assets of the kit
item_count        role, n                  number of list items or parts
spacing           role, share              gap to its neighbours above and below, at least
legible           role, px                 type size in px of the export, contrast >= 4.5
prominent         role, share              share of the board's area; contrast >= 3
coverage          low, high                share of the board that has ink on it
line_length       role, most               characters in its longest line
order             first, second            one lies above the other
near              role, other, share       the gap between them is at most
export_width      px                       the export is at least this wide
bold              role                     its type is bold
leading           role, low, high          line height over type size
balanced          share                    centre of the ink off the board's, at most
kit_font *        role                     in the kit's family
uncluttered       most                     number of content elements
"""
